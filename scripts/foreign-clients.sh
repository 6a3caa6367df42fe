#!/bin/sh
# Lets clients of other makes talk to a server that it starts: publish, query, count, live delivery, replacing, deleting,
# authentication, and negentropy both ways. Each step prints PASS or FAIL; the exit code is 0 when nothing failed.
#
#   scripts/foreign-clients.sh            every client whose tools are here
#   scripts/foreign-clients.sh python go  these only; then their tools must be here
#
#   python  nostr-sdk, that is rust-nostr; needs Python 3.9 or newer with venv and pip
#   node    nostr-tools and ws; needs Node 20 or newer with npm
#   go      go-nostr; needs Go 1.22 or newer
#
# The libraries come from the registries that pip, npm and go are set up for, into a directory that is removed at the end.
# No part of ./mvnw verify, which needs no network.
set -eu
cd "$(dirname "$0")/.."
sessions=$PWD/scripts/foreign-clients

sdk_version=0.45.1
tools_version=2.25.2
ws_version=8.22.2
go_version=v0.52.0

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

install_python() {
    python3 -m venv "$place/python" && "$place/python/bin/pip" install -q "nostr-sdk==$sdk_version"
}
install_node() {
    mkdir "$place/node" && cp "$sessions/session.mjs" "$place/node" && cd "$place/node" && npm init -y &&
        npm install "nostr-tools@$tools_version" "ws@$ws_version"
}
install_go() {
    mkdir "$place/go" && cp "$sessions/session.go" "$place/go" && cd "$place/go" && go mod init session &&
        go get "github.com/nbd-wtf/go-nostr@$go_version" && go mod tidy && go build -o session .
}

run_python() { "$place/python/bin/python" "$sessions/session.py" "$1"; }
run_node() { node "$place/node/session.mjs" "$1"; }
run_go() { "$place/go/session" "$1"; }

failed=0
wanted=${*:-python node go}
chosen=
for client in $wanted; do
    case $client in python | node | go) ;; *) sed -n 's/^#   //p' "$0" >&2 && exit 2 ;; esac
    if "has_$client"; then
        chosen="$chosen $client"
    elif [ $# -gt 0 ]; then
        echo "FAIL $client: its tools are not here" && failed=1
    else
        echo "SKIP $client: its tools are not here"
    fi
done
if [ -z "$chosen" ]; then
    echo "foreign-clients: needs Python, Node or Go" >&2
    exit 1
fi

./grapnel --version >/dev/null # builds if need be
mkdir "$place/server"
# Started in its own directory, so that no .env and no key of somebody else is found. The port is one that is free.
launcher=$PWD/grapnel
(cd "$place/server" && exec "$launcher" serve --bind-address 127.0.0.1:0 >"$place/server.out" 2>"$place/server.log") &
server=$!
url=
for _ in $(seq 150); do
    url=$(sed -n 's/.* and \(ws:[^ ]*\)$/\1/p' "$place/server.out" "$place/server.log" | head -n 1)
    [ -z "$url" ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
done
if [ -z "$url" ]; then
    echo "FAIL the server does not start:"
    cat "$place/server.log"
    exit 1
fi

for client in $chosen; do
    if ! ("install_$client") >"$place/install.log" 2>&1; then
        echo "FAIL $client: its libraries could not be installed:"
        tail -n 5 "$place/install.log"
        failed=1
        continue
    fi
    "run_$client" "$url" || failed=1
done

if ! kill -0 "$server" 2>/dev/null; then
    echo "FAIL the server is gone"
    failed=1
elif grep -E ' (WARN|ERROR) ' "$place/server.log"; then
    echo "FAIL the server complained"
    failed=1
else
    echo "PASS the server ran on and logged no warning"
fi
exit "$failed"
