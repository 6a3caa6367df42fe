#!/bin/sh
# Tells the life of one repository, from its announcement to its end, with the git of this machine and a Nostr client of
# another make, against a server that it starts; then every push that is refused or taken for a reason of its own. Each
# step prints PASS or FAIL and what was seen; the exit code is 0 when nothing failed.
#
#   scripts/life-of-a-repository.sh         a few minutes
#   scripts/life-of-a-repository.sh --kill  kills the server (-9) between every two steps, and in the middle of pushes
#
# The client is nostr-sdk, that is rust-nostr; it needs Python 3.9 or newer with venv and pip. It comes from the registry
# that pip is set up for, into a directory that is removed at the end. No part of ./mvnw verify, which needs no network.
# The story is scripts/life-of-a-repository/story.py.
set -eu
cd "$(dirname "$0")/.."
sessions=$PWD/scripts/life-of-a-repository

sdk_version=0.45.1

case "$*" in '' | --kill) ;; *) sed -n 's/^#   //p' "scripts/${0##*/}" >&2 && exit 2 ;; esac
mode=$*

. scripts/foreign.sh

install_python() { pip_install "nostr-sdk==$sdk_version"; }
run_python() {
    mkdir "$place/story"
    # shellcheck disable=SC2086 # none, or one word
    "$place/python/bin/python" -B "$sessions/story.py" "$1" "$place/story" $mode
}

choose python
./grapnel --version >/dev/null # builds if need be
run_chosen "$PWD/grapnel"
exit "$failed"
