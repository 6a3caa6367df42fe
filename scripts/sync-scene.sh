# What two-servers.sh, three-servers.sh, foreign-sync.sh and foreign-relay.sh share; to be sourced from the root of the
# checkout. Everything is in $place, which is removed at the end, as all processes in $processes are ended.

root=$PWD
./grapnel --version >/dev/null # builds if need be
. scripts/toolchain.sh
find_jdk
libraries=$root/.grapnel/dist/$(cat .grapnel/current)/lib
place=$(mktemp -d)
readonly place # it is removed at the end, and nothing else may be
processes=
failed=0
slashes=//

say() { printf '%s\n' "$*"; }
pass() { say "PASS $*"; }
fail() { say "FAIL $*" && failed=1; }

# check WHAT COMMAND...: prints PASS or FAIL
check() {
    what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what"; fi
}

finish() {
    for process in $processes; do kill -CONT "$process" 2>/dev/null && kill "$process" 2>/dev/null || :; done
    wait
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT TERM

# launch NAME COMMAND...: runs it in a directory of its own; the process is in $started
launch() {
    name=$1
    shift
    mkdir -p "$place/$name"
    (cd "$place/$name" && exec "$@" >>out 2>>log) &
    started=$!
    processes="$processes $started"
}

# start NAME PORT [FLAG]...: a server, when it answers; the process is in $started
start() {
    name=$1
    port=$2
    shift 2
    launch "$name" "$root/grapnel" serve --domain "127.0.0.1:$port" --bind-address "127.0.0.1:$port" "$@"
    if ! await 300 curl -fs "$(web "$port")/health"; then
        say "server $name does not start:" && cat "$place/$name/log" && exit 1
    fi
}

# stop PROCESS [SIGNAL]: returns when it has gone
stop() {
    kill "-${2:-TERM}" "$1"
    wait "$1" 2>/dev/null || :
}

web() { printf 'http:%s' "${slashes}127.0.0.1:$1"; }

# await SECONDS COMMAND...: until it succeeds
await() {
    until=$(($(date +%s) + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$until" ] || return 1
        sleep 1
    done
}

# metric PORT PATTERN: the sum of all lines of its metrics that match
metric() { curl -fs "$(web "$1")/metrics" | awk -v "wanted=$2" '$0 ~ wanted && !/^#/ { sum += $NF } END { print sum + 0 }'; }

# work NAME: makes a git repository there, and is in it from then on
work() {
    git init --quiet --initial-branch=main "$place/$1"
    cd "$place/$1"
    git config user.name Me
    git config user.email me@example.com
}

# commit WORDS: its id is printed
commit() { echo "$1" >file && git add file && git commit --quiet -m "$1" && git rev-parse HEAD; }

tip() { git ls-remote "$1" refs/heads/main 2>/dev/null | cut -f 1; }
has() { [ "$(tip "$1")" = "$2" ]; }

# people WORD...: what scripts/sync-scene/People.java can do
people() {
    if [ ! -d "$place/classes" ]; then
        "$jdk_home/bin/javac" -d "$place/compiling" -cp "$libraries/*" "$root/scripts/sync-scene/People.java" &&
            mv "$place/compiling" "$place/classes"
    fi
    "$jdk_home/bin/java" --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto \
        -cp "$place/classes:$libraries/*" People "$@"
}
