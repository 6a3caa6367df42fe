#!/bin/sh
# Shows that Grapnel follows a general relay of another make, which knows nothing of git and does not compare (no negentropy):
# nostr-relay, a relay written in Python. A repository is announced, stated and discussed there only; Grapnel finds the
# announcement by its bootstrap relay, lets the state be pushed, reads what was said before page by page and hears what is said
# from then on, also after each of the two was away, and when only the announcement leads there. Each step prints PASS or FAIL;
# the exit code is 0 when nothing failed.
#
#   scripts/foreign-relay.sh [PROGRAM]
#
#   PROGRAM  the nostr-relay to run; installed with pip from the Python package index unless told, which needs Python 3.9 or
#            newer with venv
#
# Both listen on 127.0.0.1, ports 7521 and 7522, and ask nobody else. scripts/foreign-sync.sh shows one that does compare.
set -eu
case ${1:-} in -h | --help) sed -n 's/^#   //p' "$0" && exit 0 ;; esac
theirs=${1:-}
[ -z "$theirs" ] || theirs=$(command -v "$theirs")
cd "$(dirname "$0")/.."
. scripts/sync-scene.sh

if [ -z "$theirs" ]; then
    if ! { python3 -m venv "$place/python" && "$place/python/bin/pip" install -q nostr-relay==1.14; } >"$place/pip" 2>&1; then
        cat "$place/pip" && fail "nostr-relay could not be installed" && exit 1
    fi
    theirs=$place/python/bin/nostr-relay
fi
there=ws://127.0.0.1:7521
here=ws://127.0.0.1:7522

# Twenty-five events at once are less than anybody asks for.
mkdir "$place/other"
cat >"$place/other/config.yaml" <<END
relay_name: a general relay
storage:
  sqlalchemy.url: sqlite+aiosqlite:///nostr.sqlite3
  validators: [nostr_relay.validators.is_signed]
gunicorn: {bind: "127.0.0.1:7521", workers: 1}
authentication: {enabled: false}
subscription_limit: 32
max_limit: 25
END
up_other() {
    launch other env HOME="$place/other" "$theirs" -c config.yaml serve
    other=$started
    await 120 curl -fs "$(web 7521)/" || { cat "$place/other/log" && fail "the other relay does not start" && exit 1; }
}
up_own() {
    start own 7522 --sync-default-delay-secs 5 --sync-max-backoff-secs 10 "$@"
    own=$started
}
same() { people same "$place/me.nsec" hello "$there" "$here"; }

# heard WHAT: whether everything that is there is here, and how soon
heard() {
    begun=$(date +%s)
    if await 180 same; then
        pass "$1, after $(($(date +%s) - begun)) s: $(same | tail -n 1)"
    else
        fail "$1" && same || (cd "$place/own" && "$root/grapnel" sync list)
    fi
}

up_other
say "$(curl -fs -H 'Accept: application/nostr+json' "$(web 7521)/")"
./grapnel keys new "$place/me.nsec" >/dev/null
work hello
tip=$(commit one)
people announce "$there" "$place/me.nsec" hello 127.0.0.1:7522 -- "$there"
people state "$there" "$place/me.nsec" hello "$tip"
pass "announced and stated at the other relay"
up_own --sync-bootstrap-relay-url "$there"
owner=$("$root/grapnel" keys show "$place/me.nsec" | grep -o 'npub1[a-z0-9]*' | head -n 1)
git remote add here "$(web 7522)/$owner/hello.git"
check "the state came from there: it can be pushed" await 60 git push --quiet here main
heard "the repository is here"
people talk "$there" "$place/me.nsec" hello "It does not work."
heard "what is said there is heard"

stop "$own"
people talk "$there" "$place/me.nsec" hello "It still does not." 40
up_own --sync-bootstrap-relay-url "$there"
heard "what was said while Grapnel was away was read in pages"
check "in more than one page" [ "$(metric 7522 '^ngit_sync_historic_pages_total')" -gt 4 ]
check "without a comparison" [ "$(metric 7522 '^ngit_sync_negentropy_sessions_total.*result="ok"')" -eq 0 ]

stop "$other"
up_other
people talk "$there" "$place/me.nsec" hello "Are you there?"
heard "what is said after the other relay was away is heard"

stop "$own"
up_own
people talk "$there" "$place/me.nsec" hello "And now?"
heard "the announcement alone leads there"
(cd "$place/own" && "$root/grapnel" sync show "$there")
check "its log tells of no error" sh -c "! grep ' ERROR ' '$place/own/log'"
exit "$failed"
