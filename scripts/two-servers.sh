#!/bin/sh
# Shows how a server becomes complete by itself. Starts two servers, A and B, announces a repository on both, pushes to A
# only, and waits until B serves it; then states and pushes at A alone, with each of the two away for a while. Each step
# prints PASS or FAIL and what was seen; the exit code is 0 when nothing failed.
#
#   scripts/two-servers.sh [DELAY]
#
#   DELAY  seconds that B waits for a push before it hunts; 5 unless told, 180 is the server's own
set -eu
cd "$(dirname "$0")/.."
root=$PWD
delay=${1:-5}
place=$(mktemp -d)
a=
b=
failed=0

say() { printf '%s\n' "$*"; }
pass() { say "PASS $*"; }
fail() { say "FAIL $*" && failed=1; }

# start NAME PORT: the process is in $started
start() {
    mkdir -p "$place/$1"
    (cd "$place/$1" && exec "$root/grapnel" serve --domain "127.0.0.1:$2" --bind-address "127.0.0.1:$2" \
        --sync-default-delay-secs "$delay" --sync-loop-interval-ms 100 >>out 2>>log) &
    started=$!
    tries=0
    until curl -fs "$(web "$2")/health" >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -gt 300 ]; then
            say "server $1 does not start:" && cat "$place/$1/log" && exit 1
        fi
        sleep 1
    done
}

web() { printf 'http:%s' "//127.0.0.1:$1"; }

finish() {
    for process in $a $b; do kill "$process" 2>/dev/null || :; done
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

tip() { git ls-remote "$1" refs/heads/main 2>/dev/null | cut -f 1; }
has() { [ "$(tip "$1")" = "$2" ]; }

./grapnel --version >/dev/null # builds if need be
start a 7481 && a=$started
start b 7482 && b=$started

./grapnel keys new "$place/me.nsec" >/dev/null
git init --quiet --initial-branch=main "$place/work"
cd "$place/work"
git config user.name Me
git config user.email me@example.com
echo one >file
git add file
git commit --quiet -m one
"$root/grapnel" repo init --key "$place/me.nsec" --server ws://127.0.0.1:7481 --also ws://127.0.0.1:7482 --identifier tool |
    tee "$place/init"
at_a=$(git remote get-url grapnel)
at_b=$(printf '%s' "$at_a" | sed 's/7481/7482/')

if has "$at_b" "$(git rev-parse main)"; then fail "B shows what nobody has pushed"; else pass "B shows nothing yet"; fi
git push --quiet grapnel main && pass "pushed to A"
if await $((delay + 60)) has "$at_b" "$(git rev-parse main)"; then
    pass "B serves it, fetched from A"
else
    fail "B does not serve it" && (cd "$place/b" && "$root/grapnel" hunt list)
fi

kill "$a" && wait "$a" || :
a=
echo two >file
git commit --quiet -am two
if "$root/grapnel" repo state --key "$place/me.nsec" >/dev/null 2>&1; then
    fail "A is away and took a state"
else
    pass "A is away"
fi
start a 7481 && a=$started
"$root/grapnel" repo state --key "$place/me.nsec"
git push --quiet grapnel main && pass "pushed to A again"
if await 60 has "$at_b" "$(git rev-parse main)"; then
    pass "B heard of it by its own link to A, and fetched it"
else
    fail "B does not serve it" && (cd "$place/b" && "$root/grapnel" sync list)
fi

kill "$b" && wait "$b" || :
b=
echo three >file
git commit --quiet -am three
"$root/grapnel" repo state --key "$place/me.nsec"
git push --quiet grapnel main && pass "pushed to A while B is away"
start b 7482 && b=$started
if await 60 has "$at_b" "$(git rev-parse main)"; then
    pass "B is complete again by itself"
else
    fail "B does not serve it" && (cd "$place/b" && "$root/grapnel" sync list)
fi
(cd "$place/b" && "$root/grapnel" sync list)
curl -fs "$(web 7482)/status" | grep -q 127.0.0.1:7481 && pass "its page names A" || fail "its page does not name A"
exit "$failed"
