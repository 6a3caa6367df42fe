#!/bin/sh
# Shows how a server hunts where there is trouble. B is a real server that is told of repositories which are on A; A stands
# behind a program that in turn asks for time, dies in the middle of a pack, sends a bomb, redirects to a private address,
# and is slow for ever. For each trouble it prints what the operator of B sees (grapnel hunt list, the log, metrics), ends
# the trouble, and checks that B serves the repository. Then it checks that addresses to which B must not connect cause no
# connection at all, seen by somebody who listens there, and that B stops within five seconds while it fetches. Each check
# prints PASS or FAIL; the exit code is 0 when nothing failed.
#
#   scripts/hunt-troubles.sh
#
# Takes about five minutes and the ports 7491 to 7493 on 127.0.0.1, and 7493 on 127.0.0.2 and ::1. The program before A is
# scripts/hunt-troubles/Troubles.java. B takes itself for git.example.com and may connect to 127.0.0.1 only; its waits are
# shorter than usual, so that nobody has to sit through three minutes. A slow machine may see A fail five times; then B
# leaves it alone for five minutes, as it would any server.
set -eu
[ $# -eq 0 ] || { sed -n 's/^#   //p' "$0" >&2 && exit 2; }
cd "$(dirname "$0")/.."
root=$PWD
./grapnel --version >/dev/null # builds if need be
. scripts/toolchain.sh
find_jdk
libraries=$root/.grapnel/dist/$(cat .grapnel/current)/lib
place=$(mktemp -d)
a=
b=
front=
failed=0
behind_port=7491
b_port=7492
a_port=7493
slashes=//

say() { printf '%s\n' "$*"; }
pass() { say "PASS $*"; }
fail() { say "FAIL $*" && failed=1; }
check() { # check WHAT COMMAND...: prints PASS or FAIL
    what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what"; fi
}

# shellcheck disable=SC2329 # for the trap
finish() {
    for process in $front $b $a; do kill "$process" 2>/dev/null || :; done
    wait
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 1' INT TERM

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

web() { printf 'http:%s' "//127.0.0.1:$1"; }

# start NAME PORT SETTINGS...: the process is in $started
start() {
    name=$1
    port=$2
    shift 2
    mkdir -p "$place/$name"
    (cd "$place/$name" && exec "$root/grapnel" serve --bind-address "127.0.0.1:$port" "$@" >>out 2>>log) &
    started=$!
    if ! await 300 curl -fs "$(web "$port")/health"; then
        say "server $name does not start:" && cat "$place/$name/log" && exit 1
    fi
}

# start_b RANGES: to which it may connect
start_b() {
    start b "$b_port" --domain git.example.com --address-allow "$1" --sync-default-delay-secs 2 \
        --sync-loop-interval-ms 100 --sync-backoff-base-secs 10 --sync-backoff-max-secs 20 \
        --log-level info,purgatory.hunt=debug
    b=$started
}

start_front() {
    troubles serve "$a_port" "$behind_port" "$place" >>"$place/front.log" 2>&1 &
    front=$!
    if ! await 60 curl -fs "$(web "$a_port")/health"; then
        say "the server before A does not start:" && cat "$place/front.log" && exit 1
    fi
}

mood() { say "$1" >"$place/mood"; }

# troubles ARGUMENTS: for subshells, which become the program
troubles() {
    exec "$jdk_home/bin/java" --enable-native-access=ALL-UNNAMED -cp "$libraries/*" \
        "$root/scripts/hunt-troubles/Troubles.java" "$@"
}

mood behave
start a "$behind_port" --domain "127.0.0.1:$a_port" && a=$started
start_front
start_b 127.0.0.1/32
./grapnel keys new "$place/me.nsec" >/dev/null

# ---- repositories on A

# on_a NAME: a repository with one commit, pushed to A; its commit is in $commit, its path in $path
on_a() {
    git init --quiet --initial-branch=main "$place/$1"
    cd "$place/$1"
    git config user.name Me
    git config user.email me@example.com
    i=0
    while [ "$i" -lt 50 ]; do
        i=$((i + 1))
        say "$1 $i $$" >"file$i"
    done
    git add .
    git commit --quiet -m "$1"
    "$root/grapnel" repo init --key "$place/me.nsec" --server "ws://127.0.0.1:$a_port" --identifier "$1" >/dev/null
    git push --quiet grapnel main
    commit=$(git rev-parse main)
    path=$(git remote get-url grapnel | sed 's,^[a-z]*:..[^/]*,,')
    cd "$root"
}

# tell_b NAME URL...: B learns of a repository that is at these addresses
tell_b() {
    name=$1
    shift
    (troubles publish "ws://127.0.0.1:$b_port" "$place/me.nsec" "$name" "$commit" "https:${slashes}git.example.com$path" "$@")
}

serves() { [ "$(git ls-remote "$(web "$b_port")$1" refs/heads/main 2>/dev/null | cut -f 1)" = "$2" ]; }
hunts() { (cd "$place/b" && "$root/grapnel" hunt list "$@"); }
told() { hunts "$1" | grep -q "$2"; }
runs() { hunts "$1" | grep -q "being looked for now"; }

# trouble NAME MOOD WORDS: B hunts while A is in a mood, until it has found out; then people are shown what it knows
trouble() {
    say
    say "==== A $4"
    on_a "$1"
    mood "$2"
    tell_b "$1" "$(web "$a_port")$path"
    if await 60 told "$1" "$3"; then pass "the operator of B reads: $3"; else fail "the operator does not read: $3"; fi
    say "grapnel hunt list:"
    hunts "$1" | sed 's/^/    /'
    say "the log of B:"
    log_lines | sed 's/^/    /'
    if serves "$path" "$commit"; then fail "B serves what it cannot have"; else pass "B serves nothing of it"; fi
}

# log_lines: what is new about hunting
log_lines() {
    touch "$place/log.seen"
    grep -ah ' hunt\.url\| hunt\.fetch_failed\| domain\.naughty\| url\.refused' "$place/b/out" "$place/b/log" |
        grep -v 'rule=own' >"$place/log.now" || :
    tail -n "+$(($(wc -l <"$place/log.seen") + 1))" "$place/log.now"
    cp "$place/log.now" "$place/log.seen"
}

# served WHAT: B serves what it was told of, after a while
served() {
    if await 400 serves "$path" "$commit"; then
        pass "$1"
    else
        fail "$1" && hunts
    fi
}

trouble busy busy 'asked to come back later (status 429, retry after 5 s)' 'answers 429 and asks for five seconds'
mood behave
served "B serves it when the time that A asked for is over"

trouble dead die 'could not be reached, or failed' 'dies in the middle of a pack'
wait "$front" || :
if await 60 told dead 'no connection could be made'; then
    pass "the operator reads that nobody is there"
else
    fail "the operator does not read that nobody is there"
fi
mood behave
start_front
hunts dead | sed 's/^/    /'
served "B serves it when A is back"

trouble rubbish rubbish 'sent what is not taken; left alone for hours (the pack announces 4294967295 objects' \
    'announces a pack of four thousand million objects'
mood behave
requests=$(grep -c "rubbish.git/info/refs" "$place/requests")
sleep 6
check "B leaves that address alone, though A behaves again" \
    test "$requests" -eq "$(grep -c "rubbish.git/info/refs" "$place/requests")"
say "the author names a second address, at which the same repository is:"
tell_b rubbish "$(web "$a_port")$path" "$(web "$behind_port")$path"
served "B serves it from the second address"

trouble led redirect 'it redirects to where nothing is fetched from: it leads to an address that is not public' \
    'redirects to a private address'
check "nobody came to the private address" test ! -s "$place/trespassers"
mood behave
tell_b led "$(web "$a_port")$path"
served "B serves it when A redirects no longer"

say
say "==== addresses to which B must not connect"
on_a bad
tell_b bad "http:${slashes}127.0.0.2:$a_port$path" "http:${slashes}[::1]:$a_port$path" "http:${slashes}2130706434:$a_port$path" \
    "http:${slashes}0x7f000002:$a_port$path" "http:${slashes}0177.0.0.2:$a_port$path" "http:${slashes}[::ffff:127.0.0.2]:$a_port$path" \
    "http:${slashes}me:secret@127.0.0.1:$a_port$path" "ssh://127.0.0.1:$a_port$path" "git@127.0.0.1:bad.git" \
    "file://$place/bad" "http:${slashes}10.0.0.1$path" "http:${slashes}192.168.0.1$path" "http:${slashes}169.254.169.254$path" \
    "http:${slashes}100.64.0.1$path" "http:${slashes}127.0.0.1:22$path"
if await 60 told bad 'attempts in vain'; then pass "B looked several times"; else fail "B did not look"; fi
hunts bad | sed 's/^/    /'
check "nobody came to 127.0.0.2 and ::1" test ! -s "$place/trespassers"
check "nobody asked A for it at 127.0.0.1" test "$(grep -c bad.git "$place/requests")" -eq 0
check "no word of the secret is shown or logged" test "$(grep -c 'me:secret' "$place/b/out" "$place/b/log" | grep -vc ':0$')" -eq 0
curl -fs "http:${slashes}127.0.0.2:$a_port/health" >/dev/null
check "who listens there would have seen it" test -s "$place/trespassers"

say
say "==== what the metrics of B say"
curl -fs "$(web "$b_port")/metrics" | grep -a '^purgatory_domain_requests_total\|^purgatory_naughty\|^purgatory_url_refused' |
    sed 's/^/    /'

say
say "==== B stops while it fetches"
bad_path=$path
bad_commit=$commit
on_a slow
mood slow
tell_b slow "$(web "$a_port")$path"
if await 60 runs slow; then pass "B fetches from a server that is slow for ever"; else fail "B does not fetch"; fi
hunts slow | sed 's/^/    /'
begun=$(date +%s)
kill "$b" && wait "$b" || :
b=
took=$(($(date +%s) - begun))
check "B stopped within five seconds ($took s)" test "$took" -lt 5
mood behave
start_b 127.0.0.0/8
served "B, started again, serves what it was fetching"
path=$bad_path
commit=$bad_commit
served "B serves the repository at 127.0.0.2 now that it may connect there (--address-allow 127.0.0.0/8)"
exit "$failed"
