#!/bin/sh
# Lets git clients of other makes talk to a host that it starts: push, clone, fetch, and a push that is refused. Each step
# prints PASS or FAIL; the exit code is 0 when nothing failed.
#
#   scripts/foreign-git.sh         every client whose tools are here
#   scripts/foreign-git.sh python  these only; then their tools must be here
#
#   python  dulwich, and pygit2, that is libgit2; needs Python 3.9 or newer with venv and pip
#   node    isomorphic-git; needs Node 20 or newer with npm
#
# The libraries come from the registries that pip and npm are set up for, into a directory that is removed at the end. No
# part of ./mvnw verify, which needs no network. The host is scripts/git-host, to which everybody may push.
set -eu
cd "$(dirname "$0")/.."
sessions=$PWD/scripts/foreign-git

dulwich_version=1.2.21
pygit2_version=1.20.1
isomorphic_version=1.44.11
owner=npub1ccz8l9zpa47k6vz9gphftsrumpw80rjt3nhnefat4symjhrsnmjs38mnyd

place=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || :
        wait "$server" || :
    fi
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT TERM

has_python() { python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
has_node() { command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; }

install_python() {
    python3 -m venv "$place/python" &&
        "$place/python/bin/pip" install -q "dulwich==$dulwich_version" "pygit2==$pygit2_version"
}
install_node() {
    mkdir "$place/node" && cp "$sessions/session.mjs" "$place/node" && cd "$place/node" && npm init -y &&
        npm install "isomorphic-git@$isomorphic_version"
}

run_python() { "$place/python/bin/python" "$sessions/session.py" "$1"; }
run_node() { node "$place/node/session.mjs" "$1"; }

failed=0
wanted=${*:-python node}
chosen=
for client in $wanted; do
    case $client in python | node) ;; *) sed -n 's/^#   //p' "$0" >&2 && exit 2 ;; esac
    if "has_$client"; then
        chosen="$chosen $client"
    elif [ $# -gt 0 ]; then
        echo "FAIL $client: its tools are not here" && failed=1
    else
        echo "SKIP $client: its tools are not here"
    fi
done
if [ -z "$chosen" ]; then
    echo "foreign-git: needs Python or Node" >&2
    exit 1
fi

mkdir "$place/server"
host=$PWD/scripts/git-host
(cd "$place/server" && exec "$host" --bind-address 127.0.0.1:0 >"$place/server.out" 2>"$place/server.log") &
server=$!
url=
while [ -z "$url" ]; do
    if ! kill -0 "$server" 2>/dev/null; then
        cat "$place/server.log" >&2
        exit 1
    fi
    sleep 0.2
    url=$(sed -n 's|.*listens on \(http.//127\.0\.0\.1:[0-9]*\)/.*|\1|p' "$place/server.out")
done

for client in $chosen; do
    if ! ("install_$client" >"$place/$client.log" 2>&1); then
        cat "$place/$client.log" >&2
        echo "FAIL $client: could not be installed" && failed=1
    elif ! "run_$client" "$url/$owner"; then
        failed=1
    fi
done
exit "$failed"
