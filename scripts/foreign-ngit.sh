#!/bin/sh
# Lets ngit, which most developers use, work with a server that it starts: accounts, publishing, pushing, cloning, pull
# requests and maintainers, each person with a home of its own. Each flow prints PASS or FAIL with what was looked at; the
# exit code is 0 when nothing failed.
#
#   scripts/foreign-ngit.sh            with the ngit of --install, or else the one in the path
#   scripts/foreign-ngit.sh --install  builds it first, if need be, in target/ngit; needs cargo, and half an hour
#   scripts/foreign-ngit.sh --base-path /sub   any flag of grapnel serve
#
# ngit comes from the registry that cargo is set up for, and asks no other server than the one that is started here. No part
# of ./mvnw verify, which needs no network.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

ngit_versions="3.0.4 3.0.3"

. scripts/foreign.sh
. scripts/foreign-ngit/people.sh
. scripts/foreign-ngit/flows.sh

# Only the libraries that ngit was released with are sure to suit it. A registry that lags behind may lack one of them; then
# the version before will do.
install_ngit() {
    [ ! -x target/ngit/bin/ngit ] || return 0
    for version in $ngit_versions; do
        ! cargo install ngit --version "$version" --root target/ngit --locked || return 0
    done
    return 1
}

case ${1:-} in
    -h | --help) sed -n 's/^#   //p' "scripts/${0##*/}" && exit 0 ;;
    --install)
        shift
        if ! install_ngit >&2; then
            echo "FAIL ngit could not be installed: the reason is above"
            exit 1
        fi
        ;;
esac
PATH=$root/target/ngit/bin:$PATH
if ! command -v ngit >/dev/null || ! command -v git-remote-nostr >/dev/null; then
    echo "${0##*/}: needs ngit and git-remote-nostr in the path, or --install" >&2
    exit 1
fi

./grapnel --version >/dev/null # builds if need be
start 's|.*listens on \(http.//[^ ]*[^ /]\)/\{0,1\} and .*|\1|p' "$root/grapnel" --bind-address 127.0.0.1:0 "$@"
relay=ws${url#http}
echo "$(ngit --version) and $(./grapnel --version)"

failed=0
run_flows
see_server push.refused
exit "$failed"
