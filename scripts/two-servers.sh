#!/bin/sh
# Shows how a server becomes complete by itself. Starts two servers, A and B, announces a repository on both, pushes to A
# only, and waits until B serves it; then states and pushes at A alone, with each of the two away for a while. Each step
# prints PASS or FAIL and what was seen; the exit code is 0 when nothing failed.
#
#   scripts/two-servers.sh [DELAY]
#
#   DELAY  seconds that B waits for a push before it hunts; 5 unless told, 180 is the server's own
set -eu
case ${1:-} in -h | --help) sed -n 's/^#   //p' "$0" && exit 0 ;; esac
cd "$(dirname "$0")/.."
delay=${1:-5}
. scripts/sync-scene.sh

up_a() { start a 7481 --sync-default-delay-secs "$delay" --sync-loop-interval-ms 100 && a=$started; }
up_b() { start b 7482 --sync-default-delay-secs "$delay" --sync-loop-interval-ms 100 && b=$started; }
state() { "$root/grapnel" repo state --key "$place/me.nsec"; }

# served SECONDS WHAT: whether B comes to serve what is committed here
served() {
    if await "$1" has "$at_b" "$(git rev-parse main)"; then
        pass "$2"
    else
        fail "not in time: $2" && (cd "$place/b" && "$root/grapnel" hunt list && "$root/grapnel" sync list)
    fi
}

up_a
up_b
./grapnel keys new "$place/me.nsec" >/dev/null
work tool
commit one >/dev/null
"$root/grapnel" repo init --key "$place/me.nsec" --server ws://127.0.0.1:7481 --also ws://127.0.0.1:7482 --identifier tool
at_a=$(git remote get-url grapnel)
at_b=$(printf '%s' "$at_a" | sed 's/7481/7482/')

if has "$at_b" "$(git rev-parse main)"; then fail "B shows what nobody has pushed"; else pass "B shows nothing yet"; fi
git push --quiet grapnel main && pass "pushed to A"
served $((delay + 60)) "B serves it, fetched from A"

stop "$a"
commit two >/dev/null
if state >/dev/null 2>&1; then fail "A is away and took a state"; else pass "A is away"; fi
up_a
state
git push --quiet grapnel main && pass "pushed to A again"
served 60 "B heard of it by its own link to A, and fetched it"

stop "$b"
commit three >/dev/null
state
git push --quiet grapnel main && pass "pushed to A while B is away"
up_b
served 60 "B is complete again by itself"
(cd "$place/b" && "$root/grapnel" sync list)
check "its page names A" sh -c "curl -fs '$(web 7482)/status' | grep -q 127.0.0.1:7481"
exit "$failed"
