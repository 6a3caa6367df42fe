#!/bin/sh
# Shows that three servers stay complete, whatever happens to one of them. Starts A, B and C with clocks that are five minutes
# apart, spreads four repositories over them, and works on while B is restarted, C is killed with -9, A is paused for longer
# than anybody believes that it is there, and C comes back with a clock two hours ahead. After each it waits until all servers
# of a repository serve the same events of it and the same refs, and tells how long that took. At the end nothing more may be
# sent from one to another, also when everything is compared once more. Each step prints PASS or FAIL and what was seen; the
# exit code is 0 when nothing failed.
#
#   scripts/three-servers.sh [SECONDS]
#
#   SECONDS  how long A is paused; 100 unless told: after 90 a relay that says nothing is given up
#
# Takes about ten minutes and the ports 7511 to 7513 on 127.0.0.1. Servers wait 5 seconds for a push before they fetch, and at
# most 20 until they call again one that was away, so that nobody has to sit through minutes. Other clocks need a C compiler
# (scripts/three-servers/clock.c); without one all clocks are right, which is told.
set -eu
case ${1:-} in -h | --help) sed -n 's/^#   //p' "$0" && exit 0 ;; esac
cd "$(dirname "$0")/.."
pause=${1:-100}
. scripts/sync-scene.sh

clock=$place/clock.so
if ! cc -shared -fPIC -o "$clock" scripts/three-servers/clock.c -ldl 2>/dev/null; then
    clock=
    say "SKIP other clocks: there is no C compiler"
fi

port() { case $1 in a) echo 7511 ;; b) echo 7512 ;; c) echo 7513 ;; esac }
relay() { printf 'ws:%s' "${slashes}127.0.0.1:$(port "$1")"; }

# up NAME OFFSET: starts a server whose clock is so many seconds ahead
up() {
    if [ -n "$clock" ]; then
        export LD_PRELOAD="$clock" CLOCK_OFFSET="$2"
    fi
    start "$1" "$(port "$1")" --sync-default-delay-secs 5 --sync-loop-interval-ms 100 --sync-max-backoff-secs 20
    unset LD_PRELOAD CLOCK_OFFSET
    eval "$1=$started"
}

servers_of() { case $1 in one) echo a b c ;; two) echo a b ;; three) echo b c ;; four) echo c a ;; esac }
repositories="one two three four"

# init IDENTIFIER: announces and pushes it at the first of its servers
init() {
    identifier=$1
    # shellcheck disable=SC2046
    set -- $(servers_of "$1")
    first=$1
    shift
    also=
    for server in "$@"; do also="$also --also $(relay "$server")"; done
    (
        work "$identifier"
        commit "begin $identifier" >/dev/null
        # shellcheck disable=SC2086
        "$root/grapnel" repo init --key "$place/me.nsec" --server "$(relay "$first")" $also --identifier "$identifier" \
            >/dev/null
        git push --quiet grapnel main
        for server in a b c; do
            git remote add "$server" "$(git remote get-url grapnel | sed "s/:75../:$(port "$server")/")"
        done
    )
}

# work_on IDENTIFIER WORDS SERVER SERVER: a state and its commit at the first, words at the other
work_on() {
    commit "$2" >/dev/null && "$root/grapnel" repo state --key "$place/me.nsec" --remote "$3" >/dev/null &&
        git push --quiet "$3" main && people talk "$(relay "$4")" "$place/me.nsec" "$1" "$2" || return 1
    [ "$1" = one ] || return 0
    git checkout --quiet --detach && offered=$(commit "offer $2") && git checkout --quiet main &&
        id=$(people offer "$(relay "$3")" "$place/me.nsec" one "$offered" "$(git remote get-url "$3")") &&
        git push --quiet "$3" "$offered:refs/nostr/$id"
}

# round NAME SERVER...: at each repository something happens, at those of its servers that are there: a state and its commit
# at one of them, words at another, and to the first repository somebody offers a commit
round() {
    words=$1
    shift
    there=$*
    for identifier in $repositories; do
        pushed=
        for server in $(servers_of "$identifier"); do
            case " $there " in *" $server "*) ;; *) continue ;; esac
            pushed=${pushed:-$server}
            spoken=$server
        done
        (cd "$place/$identifier" && work_on "$identifier" "$words" "$pushed" "$spoken") ||
            fail "round $words: $identifier could not be worked on"
    done
}

# equal IDENTIFIER: whether all its servers show the same refs and events, those that were worked on
equal() {
    refs=
    for server in $(servers_of "$1"); do
        seen=$(git ls-remote "$(git -C "$place/$1" remote get-url "$server")" 2>/dev/null) || return 1
        [ "${refs:-$seen}" = "$seen" ] || return 1
        refs=$seen
    done
    case $refs in *"$(git -C "$place/$1" rev-parse main)"*) ;; *) return 1 ;; esac
    relays=
    for server in $(servers_of "$1"); do relays="$relays $(relay "$server")"; done
    # shellcheck disable=SC2086
    people same "$place/me.nsec" "$1" $relays >"$place/same-$1"
}

# converge WHAT: waits until all are equal
converge() {
    begun=$(date +%s)
    for identifier in $repositories; do
        if await 240 equal "$identifier"; then
            pass "$1: $identifier is the same everywhere, seen $(($(date +%s) - begun)) s after," \
                "$(sed 's/.* \([0-9]* events\)/\1/' "$place/same-$identifier" | head -n 1)," \
                "$(git -C "$place/$identifier" ls-remote grapnel | wc -l) refs"
        else
            fail "$1: $identifier differs" && cat "$place/same-$identifier" 2>/dev/null
            for server in $(servers_of "$identifier"); do
                say "$server:" && git ls-remote "$(git -C "$place/$identifier" remote get-url "$server")"
                (cd "$place/$server" && "$root/grapnel" sync list)
            done
        fi
    done
}

# Messages with events that servers sent, to anybody.
sent() {
    sum=0
    for server in a b c; do
        sum=$((sum + $(metric "$(port "$server")" '^ngit_websocket_messages_sent_total.*type="EVENT"')))
    done
    echo "$sum"
}
compared() { [ "$(metric "$(port "$1")" '^ngit_sync_daily_resyncs_total.*result="done"')" -ge 2 ]; }

up a 0
up b 300
up c -300
if [ -n "$clock" ]; then
    say "their clocks: $(for server in a b c; do curl -fsI "$(web "$(port "$server")")/" | sed -n 's/^[Dd]ate: //p' | tr -d '\r' |
        sed 's/.* \(..:..:..\).*/\1/'; done | tr '\n' ' ')"
fi
./grapnel keys new "$place/me.nsec" >/dev/null
for identifier in $repositories; do init "$identifier"; done
round begin a b c
converge "at first"

stop "$b"
round restart a c
up b 300
converge "B was restarted"

round before-kill a b c >/dev/null 2>&1 & # what is done at C may fail
doing=$!
sleep 8
stop "$c" KILL
wait "$doing" || :
round kill a b
up c -300
round after-kill a b c
converge "C was killed"

kill -STOP "$a"
stopped=$(date +%s)
round pause b c
while [ $(($(date +%s) - stopped)) -lt "$pause" ]; do sleep 1; done
(cd "$place/b" && "$root/grapnel" sync list)
kill -CONT "$a"
converge "A was paused for $(($(date +%s) - stopped)) s"

stop "$c"
round hours a b
if [ -n "$clock" ]; then up c 7200; else up c 0; fi
converge "C was away, two hours by its clock"

sleep 15
before=$(sent)
sleep 15
check "nothing more is sent" [ "$(sent)" = "$before" ]
for server in a b c; do (cd "$place/$server" && "$root/grapnel" sync now); done
for server in a b c; do check "$server has compared everything once more" await 120 compared "$server"; done
check "and still nothing is sent" [ "$(sent)" = "$before" ]
for server in a b c; do
    check "the log of $server tells of no error" sh -c "! grep ' ERROR ' '$place/$server/log'"
done
exit "$failed"
