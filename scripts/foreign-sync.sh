#!/bin/sh
# Shows that Grapnel and the existing server, ngit-grasp, complete each other. Starts one of each, announces a repository on
# both, states and pushes it at one of them, and waits until the other serves it, in both directions. Each step prints PASS or
# FAIL; the exit code is 0 when nothing failed.
#
#   scripts/foreign-sync.sh [PROGRAM]
#
#   PROGRAM  the existing server, version 3; ngit-grasp on the path unless told (cargo install ngit-grasp)
#
# Both listen on 127.0.0.1 and ask nobody else. Ours waits 5 seconds for a push before it fetches, instead of three minutes.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
program=${1:-ngit-grasp}
case ${1:-} in -h | --help) sed -n 's/^#   //p' "scripts/${0##*/}" && exit 0 ;; esac
if ! command -v "$program" >/dev/null; then
    echo "FAIL $program is not here: cargo install ngit-grasp, or name it" && exit 1
fi
program=$(command -v "$program")
place=$(mktemp -d)
other=
own=
failed=0

pass() { echo "PASS $*"; }
fail() { echo "FAIL $*" && failed=1; }
finish() {
    for process in $other $own; do kill "$process" 2>/dev/null || :; done
    wait
    rm -rf "$place"
}
trap finish EXIT

# await SECONDS COMMAND...: until it succeeds
await() {
    left=$1
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 1
    done
}

has() { [ "$(git ls-remote "$1" refs/heads/main 2>/dev/null | cut -f 1)" = "$2" ]; }
commit() { echo "$1" >file && git add file && git commit --quiet -m "$1" && git rev-parse main; }

./grapnel --version >/dev/null # builds if need be
mkdir "$place/other" "$place/own"
(
    cd "$place/other"
    NGIT_DOMAIN=127.0.0.1:7501 NGIT_BIND_ADDRESS=127.0.0.1:7501 NGIT_GIT_DATA_PATH="$place/other/git" \
        NGIT_RELAY_DATA_PATH="$place/other/relay" NGIT_SYNC_ALLOW_NON_GLOBAL_TARGETS=true NGIT_SYNC_PLUS_ENABLED=false \
        NGIT_SYNC_BOOTSTRAP_RELAY_URL=ws://127.0.0.1:7502 exec "$program" serve >log 2>&1
) &
other=$!
(
    cd "$place/own"
    exec "$root/grapnel" serve --domain 127.0.0.1:7502 --bind-address 127.0.0.1:7502 \
        --sync-bootstrap-relay-url ws://127.0.0.1:7501 --sync-default-delay-secs 5 >out 2>log
) &
own=$!
web=http:
await 60 curl -fs "$web//127.0.0.1:7501/" && pass "the existing server listens" || fail "the existing server does not start"
await 120 curl -fs "$web//127.0.0.1:7502/health" && pass "Grapnel listens" || fail "Grapnel does not start"

./grapnel keys new "$place/me.nsec" >/dev/null
git init --quiet --initial-branch=main "$place/work"
cd "$place/work"
git config user.name Me
git config user.email me@example.com
tip=$(commit one)
"$root/grapnel" repo init --key "$place/me.nsec" --server ws://127.0.0.1:7501 --also ws://127.0.0.1:7502 --identifier mixed
there=$(git remote get-url grapnel)
here=$(printf '%s' "$there" | sed 's/7501/7502/')
git push --quiet grapnel main
await 60 has "$here" "$tip" && pass "Grapnel serves what was pushed there" || fail "Grapnel lacks what was pushed there"
tip=$(commit two)
"$root/grapnel" repo state --key "$place/me.nsec" >/dev/null
git push --quiet grapnel main
await 60 has "$here" "$tip" && pass "Grapnel heard of the next state" || fail "Grapnel did not hear of the next state"
git remote add here "$here"
tip=$(commit three)
"$root/grapnel" repo state --key "$place/me.nsec" --remote here >/dev/null
git push --quiet here main
await 60 has "$there" "$tip" && pass "the existing server heard of ours" || fail "the existing server did not hear of ours"
(cd "$place/own" && "$root/grapnel" sync list)
exit "$failed"
