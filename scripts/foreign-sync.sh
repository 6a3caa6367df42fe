#!/bin/sh
# Shows that Grapnel and the existing server, ngit-grasp, complete each other. Starts one of each, announces a repository on
# both, states and pushes it at one of them, and waits until the other serves it, in both directions, with what is said about
# it. Each step prints PASS or FAIL; the exit code is 0 when nothing failed.
#
#   scripts/foreign-sync.sh [PROGRAM]
#
#   PROGRAM  the existing server, version 3; ngit-grasp on the path unless told (cargo install ngit-grasp)
#
# Both listen on 127.0.0.1 and ask nobody else. Ours waits 5 seconds for a push before it fetches, instead of three minutes.
set -eu
case ${1:-} in -h | --help) sed -n 's/^#   //p' "$0" && exit 0 ;; esac
theirs=${1:-ngit-grasp}
if ! command -v "$theirs" >/dev/null; then
    echo "FAIL $theirs is not here: cargo install ngit-grasp, or name it" && exit 1
fi
theirs=$(command -v "$theirs")
cd "$(dirname "$0")/.."
. scripts/sync-scene.sh

there=ws://127.0.0.1:7501
here=ws://127.0.0.1:7502
same() { people same "$place/me.nsec" mixed "$there" "$here"; }

launch other env NGIT_DOMAIN=127.0.0.1:7501 NGIT_BIND_ADDRESS=127.0.0.1:7501 NGIT_GIT_DATA_PATH="$place/other/git" \
    NGIT_RELAY_DATA_PATH="$place/other/relay" NGIT_SYNC_ALLOW_NON_GLOBAL_TARGETS=true NGIT_SYNC_PLUS_ENABLED=false \
    NGIT_SYNC_BOOTSTRAP_RELAY_URL="$here" "$theirs" serve
check "the existing server listens" await 60 curl -fs "$(web 7501)/"
start own 7502 --sync-bootstrap-relay-url "$there" --sync-default-delay-secs 5
pass "Grapnel listens"

./grapnel keys new "$place/me.nsec" >/dev/null
work mixed
tip=$(commit one)
"$root/grapnel" repo init --key "$place/me.nsec" --server "$there" --also "$here" --identifier mixed
at_there=$(git remote get-url grapnel)
at_here=$(printf '%s' "$at_there" | sed 's/7501/7502/')
git push --quiet grapnel main
check "Grapnel serves what was pushed there" await 60 has "$at_here" "$tip"
tip=$(commit two)
"$root/grapnel" repo state --key "$place/me.nsec" >/dev/null
git push --quiet grapnel main
check "Grapnel heard of the next state" await 60 has "$at_here" "$tip"
git remote add here "$at_here"
tip=$(commit three)
"$root/grapnel" repo state --key "$place/me.nsec" --remote here >/dev/null
git push --quiet here main
check "the existing server heard of ours" await 60 has "$at_there" "$tip"
people talk "$there" "$place/me.nsec" mixed "It does not work."
people talk "$here" "$place/me.nsec" mixed "It does not work, either."
check "both have everything that was said at one of them" await 120 same
same || :
say "$(metric 7502 '^ngit_sync_negentropy_sessions_total.*result="ok"') comparisons," \
    "$(metric 7502 '^ngit_sync_historic_pages_total') pages"
(cd "$place/own" && "$root/grapnel" sync list)
exit "$failed"
