#!/bin/sh
# Takes a store's disk away for a while and gives it back: what was acknowledged must be there, nothing else, and writing
# must go on by itself. What every build does with a limit on files (FullDiskTest), done on the real thing:
#
#   scripts/failing-disk.sh tmpfs   a tmpfs of 64 MB gets full; needs root for mount
#   scripts/failing-disk.sh ext4    an ext4 of 64 MB in a file gets full; needs root for mount
#   scripts/failing-disk.sh flush   fsync and fdatasync fail with EIO; needs a C compiler
set -eu
cd "$(dirname "$0")/.."

place=$(mktemp -d)
mkdir "$place/disk"
trap 'umount "$place/disk" 2>/dev/null || :; rm -rf "$place"' EXIT

case ${1:-} in
tmpfs) mount -t tmpfs -o size=64m grapnel-failing-disk "$place/disk" ;;
ext4)
    dd if=/dev/zero of="$place/image" bs=1M count=64 status=none
    mkfs.ext4 -q "$place/image"
    mount -o loop "$place/image" "$place/disk"
    ;;
flush)
    # The first 300 calls of a process succeed; then they fail for as long as the file is there.
    cat >"$place/flush.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int call(const char *name, int file) {
    static int calls;
    const char *failing = getenv("FLUSH_FAILS_WHILE");
    if (failing && ++calls > 300 && access(failing, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return call("fsync", file); }

int fdatasync(int file) { return call("fdatasync", file); }
C
    cc -shared -fPIC -o "$place/flush.so" "$place/flush.c" -ldl
    ;;
*)
    sed -n 's/^#   //p' "$0" >&2
    exit 2
    ;;
esac

mkdir "$place/disk/store"
dd if=/dev/zero of="$place/disk/ballast" bs=1M count=24 status=none # deleted by the writer once it is refused
if [ -e "$place/flush.so" ]; then
    export LD_PRELOAD="$place/flush.so" FLUSH_FAILS_WHILE="$place/disk/ballast"
fi
./mvnw -q -B -ntp -Pfailing-disk -pl server -am test \
    -Dfailing-disk.directory="$place/disk/store" -Dfailing-disk.ballast="$place/disk/ballast"
