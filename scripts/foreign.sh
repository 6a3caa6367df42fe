# What foreign-clients.sh, foreign-git.sh, foreign-ngit.sh and life-of-a-repository.sh share; to be sourced from the root of
# the checkout.
#
# For each client that it lets choose, the script that sources it defines install_<client> and run_<client>; libraries go into
# $place, which is removed at the end, and $sessions has the programs that use them.

place=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || :
        wait "$server" || :
    fi
    chmod -R u+w "$place" # Go leaves directories that cannot be written to
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT TERM

has_python() { python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
has_node() { command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; }
has_go() { go version >/dev/null 2>&1; }

# pip_install <requirement>...
pip_install() { python3 -m venv "$place/python" && "$place/python/bin/pip" install -q "$@"; }

# npm_install <package>...
npm_install() {
    mkdir "$place/node" && cp "$sessions/session.mjs" "$place/node" && cd "$place/node" && npm init -y && npm install "$@"
}

run_python() { "$place/python/bin/python" "$sessions/session.py" "$1"; }
run_node() { node "$place/node/session.mjs" "$1"; }

# choose "<all clients>" [client]...: sets $chosen to those named, or to all, as far as their tools are here. Those that
# are named must be here.
choose() {
    known=$1
    shift
    failed=0
    chosen=
    for client in ${*:-$known}; do
        case " $known " in *" $client "*) ;; *) sed -n 's/^#   //p' "scripts/${0##*/}" >&2 && exit 2 ;; esac
        if "has_$client"; then
            chosen="$chosen $client"
        elif [ $# -gt 0 ]; then
            echo "FAIL $client: its tools are not here" && failed=1
        else
            echo "SKIP $client: its tools are not here"
        fi
    done
    if [ -z "$chosen" ]; then
        echo "${0##*/}: needs the tools of one of: $known" >&2
        exit 1
    fi
}

# start <expression> <command>...: runs a server in a directory of its own, so that no .env and no key of somebody else is
# found, and sets $url to what sed makes of its words by the expression. The port must be one that is free.
start() {
    expression=$1
    shift
    mkdir "$place/server"
    touch "$place/server.out" "$place/server.log"
    (cd "$place/server" && exec "$@" >"$place/server.out" 2>"$place/server.log") &
    server=$!
    url=
    for _ in $(seq 150); do
        url=$(sed -n "$expression" "$place/server.out" "$place/server.log" | head -n 1)
        [ -z "$url" ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.2
    done
    echo "FAIL the server does not start:"
    cat "$place/server.log"
    exit 1
}

# run_chosen <address>: installs and runs one client after another; sets $failed if one of them fails.
run_chosen() {
    for client in $chosen; do
        if ! ("install_$client") >"$place/install.log" 2>&1; then
            echo "FAIL $client: its libraries could not be installed:"
            tail -n 5 "$place/install.log"
            failed=1
        elif ! "run_$client" "$1"; then
            failed=1
        fi
    done
}

# see_server [expression]: sets $failed if the server is gone, or complained of something else than matches the expression.
see_server() {
    if ! kill -0 "$server" 2>/dev/null; then
        echo "FAIL the server is gone"
        failed=1
    elif grep -E ' (WARN|ERROR) ' "$place/server.log" | grep -v -E "${1:-^$}"; then
        echo "FAIL the server complained"
        failed=1
    else
        echo "PASS the server ran on and logged no warning${1:+ but $1}"
    fi
}
