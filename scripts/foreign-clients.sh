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

. scripts/foreign.sh

install_python() { pip_install "nostr-sdk==$sdk_version"; }
install_node() { npm_install "nostr-tools@$tools_version" "ws@$ws_version"; }
install_go() {
    mkdir "$place/go" && cp "$sessions/session.go" "$place/go" && cd "$place/go" && go mod init session &&
        go get "github.com/nbd-wtf/go-nostr@$go_version" && go mod tidy && go build -o session .
}

run_go() { "$place/go/session" "$1"; }

choose "python node go" "$@"
scripts/git-host --help >/dev/null # builds if need be
start 's/.* and \(ws:[^ ]*\)$/\1/p' "$PWD/scripts/git-host" --bind-address 127.0.0.1:0
run_chosen "$url"
see_server
exit "$failed"
