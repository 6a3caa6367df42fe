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

. scripts/foreign.sh

install_python() { pip_install "dulwich==$dulwich_version" "pygit2==$pygit2_version"; }
install_node() { npm_install "isomorphic-git@$isomorphic_version"; }

choose "python node" "$@"
scripts/git-host --help >/dev/null # builds if need be
start 's|.*listens on \(http.//127\.0\.0\.1:[0-9]*\)/.*|\1|p' "$PWD/scripts/git-host" --bind-address 127.0.0.1:0
run_chosen "$url/$owner"
exit "$failed"
