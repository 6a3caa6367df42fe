#!/bin/sh
# Fills a real small file system with a store, makes room and goes on: on a tmpfs of 64 MB, then on an ext4 of 64 MB in
# a file. Needs root for mount. The test of every build, FullDiskTest, does the same with a limit on files instead.
#
#   sudo scripts/full-disk.sh [tmpfs|ext4]
set -eu
cd "$(dirname "$0")/.."

place=$(mktemp -d)
mkdir "$place/mount"
trap 'umount "$place/mount" 2>/dev/null; rm -rf "$place"' EXIT

for kind in ${1:-tmpfs ext4}; do
    case $kind in
    tmpfs) mount -t tmpfs -o size=64m grapnel-full-disk "$place/mount" ;;
    ext4)
        dd if=/dev/zero of="$place/image" bs=1M count=64 status=none
        mkfs.ext4 -q "$place/image"
        mount -o loop "$place/image" "$place/mount"
        ;;
    *)
        echo "full-disk.sh: say tmpfs or ext4, not $kind" >&2
        exit 2
        ;;
    esac
    mkdir "$place/mount/store"
    dd if=/dev/zero of="$place/mount/ballast" bs=1M count=24 status=none
    echo "On $kind:"
    ./mvnw -q -B -ntp -Pfull-disk -pl server -am test \
        -Dfull-disk.directory="$place/mount/store" -Dfull-disk.ballast="$place/mount/ballast"
    umount "$place/mount"
done
