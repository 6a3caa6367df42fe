# What people do in foreign-ngit.sh; to be sourced by it. Ann owns the repository, Bob and Dora become maintainers, Cleo
# contributes. The flows build upon each other.

run_flows() {
    flow "account: one is made, others log in with a key; whoami names them" accounts_are_there
    flow "init: announcement, state and main are served, nothing waits" repository_is_published
    flow "push: commits, a light and an annotated tag are served" commits_and_tags_are_pushed
    flow "push: a branch is made, forced and removed" branch_is_pushed_and_removed
    flow "clone: by nostr:// and by stock git, with all refs" others_clone
    flow "push of a stranger: refused by ngit, and by the server with what helps" stranger_may_not_push
    flow "pull request: pushed as pr/ branch, then updated; each commit is served below refs/nostr" branch_is_proposed
    flow "pull request: ngit send, also as patch; seen by the owner, closed by its author" commits_are_sent
    flow "merge: checked out, merged and pushed by the owner; the author sees it applied" proposal_is_merged
    flow "issue: opened, commented and closed" issue_is_closed
    flow "invited maintainer: refused by ngit and by the server, both say how to accept" invited_may_not_push
    flow "second maintainer: accepts and pushes; the first one goes on from there" second_maintainer_pushes
    flow "third maintainer: announces a repository of its own here, which follows the others" third_maintainer_has_a_copy
    flow "who is behind: refused by ngit until it has pulled" who_is_behind_pulls_first
    flow "removed maintainer: refused by ngit and by the server" removed_maintainer_may_not_push
    flow "handover: another one leads, the owner leaves and is refused; the lead pushes, all copies follow" lead_is_handed_over
    flow "all repositories are what their events say, nothing waits" all_is_settled
}

# A Grapnel takes no profiles, hence --offline.
accounts_are_there() {
    person ann
    as ann "$place/ann" ngit account create --name Ann --offline
    as ann "$place/ann" ngit account whoami --json --offline >"$place/ann/account"
    grep -o 'npub1[a-z0-9]*' "$place/ann/account" | head -n 1 >"$place/ann/npub"
    same 'length of the npub' 63 "$(npub ann | tr -d '\n' | wc -c | tr -d ' ')"
    for name in bob cleo dora; do
        person "$name"
        ./grapnel keys new "$place/$name/key.nsec" >"$place/$name/npub"
        as "$name" "$place/$name" ngit account login --nsec-file "$place/$name/key.nsec"
        as "$name" "$place/$name" ngit account whoami --json --offline >"$place/$name/account"
        grep -q "$(npub "$name")" "$place/$name/account"
    done
}

repository_is_published() {
    as ann "$place/ann" git init -q work
    commit ann one
    in_work ann ngit init --name Tour --identifier tour --description 'A tour' --grasp-server "$url" --defaults
    in_work ann git remote get-url origin | grep '^nostr://'
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
    same HEAD "$(head_of ann)" "$(served ann HEAD)"
    nothing_waits
}

commits_and_tags_are_pushed() {
    commit ann two
    commit ann three
    in_work ann git push origin main
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
    in_work ann git tag light
    in_work ann git tag -a -m 'Version 1' v1
    in_work ann git push origin light v1
    same light "$(head_of ann)" "$(served ann refs/tags/light)"
    same v1 "$(in_work ann git rev-parse v1)" "$(served ann refs/tags/v1)"
}

branch_is_pushed_and_removed() {
    in_work ann git switch -q -c topic
    commit ann four
    in_work ann git push -u origin topic
    same topic "$(head_of ann)" "$(served ann refs/heads/topic)"
    in_work ann git commit -q --amend -m 'Add four, better'
    in_work ann git push --force origin topic
    same 'topic after force' "$(head_of ann)" "$(served ann refs/heads/topic)"
    in_work ann git push origin --delete topic
    same 'removed topic' '' "$(served ann refs/heads/topic)"
    in_work ann git switch -q main
}

# clone_of_ann <name>: by the address that people hand on, which names the relay.
clone_of_ann() {
    hint=$(printf %s "$relay" | sed 's|:|%3A|g; s|/|%2F|g')
    as "$1" "$place/$1" git clone -q "nostr://$(npub ann)/$hint/tour" work
}

others_clone() {
    for name in bob cleo dora; do
        clone_of_ann "$name"
        same "HEAD of $name" "$(head_of ann)" "$(head_of "$name")"
        same "v1 of $name" "$(in_work ann git rev-parse v1)" "$(in_work "$name" git rev-parse v1)"
        same "file of $name" "$(cat "$place/ann/work/three")" "$(cat "$place/$name/work/three")"
    done
    as bob "$place/bob" git clone -q "$url/$(npub ann)/tour.git" plain
    same 'HEAD of the plain clone' "$(head_of ann)" "$(as bob "$place/bob/plain" git rev-parse HEAD)"
}

stranger_may_not_push() {
    commit cleo strange
    refused 'not a confirmed maintainer' in_work cleo git push origin main
    refused 'remote: hint: git push nostr://' in_work cleo git push "$url/$(npub ann)/tour.git" main
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
    in_work cleo git reset -q --hard origin/main
}

# proposals <name> <status>: the pull requests that this person sees.
proposals() { in_work "$1" ngit pr list --json --status "$2"; }

branch_is_proposed() {
    in_work cleo git switch -q -c pr/idea
    commit cleo idea
    in_work cleo git push -u origin pr/idea
    same 'first commit' 1 "$(served ann 'refs/nostr/*' | grep -c "$(head_of cleo)")"
    commit cleo idea-again
    in_work cleo git push origin pr/idea
    same 'second commit' 1 "$(served ann 'refs/nostr/*' | grep -c "$(head_of cleo)")"
    proposals ann open | grep '"subject": "Add idea"'
}

commits_are_sent() {
    in_work cleo git switch -q -c sent main
    commit cleo sent
    in_work cleo ngit send HEAD~1 --subject Sent --description 'By ngit send' --json >"$place/sent.json"
    same 'sent commit' 1 "$(served ann 'refs/nostr/*' | grep -c "$(head_of cleo)")"
    in_work cleo git switch -q -c patch main
    commit cleo patch
    in_work cleo ngit send HEAD~1 --force-patch --subject Patch --description 'As patch' --json
    proposals ann open >"$place/open.json"
    grep '"subject": "Sent"' "$place/open.json"
    grep '"subject": "Patch"' "$place/open.json"
    sent=$(nevent "$place/sent.json")
    in_work ann ngit pr comment "$sent" --body 'No, thanks'
    in_work cleo ngit pr close "$sent" --reason 'Not wanted'
    proposals ann closed | grep '"subject": "Sent"'
}

proposal_is_merged() {
    idea=$(in_work cleo git rev-parse pr/idea)
    proposals ann open | sed -n '/"id":/h; /"subject": "Add idea"/{x;p;}' >"$place/idea.json"
    in_work ann ngit pr checkout "$(nevent "$place/idea.json")"
    same 'what is checked out' "$idea" "$(head_of ann)"
    in_work ann git switch -q main
    in_work ann ngit pr merge "$(nevent "$place/idea.json")"
    in_work ann git push origin main
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
    same 'what was merged' "$idea" "$(in_work ann git rev-parse HEAD^2)"
    proposals cleo applied | grep '"subject": "Add idea"'
}

issue_is_closed() {
    in_work cleo ngit issue create --subject 'It hangs' --body 'Always' --json >"$place/issue.json"
    issue=$(nevent "$place/issue.json")
    in_work ann ngit issue comment "$issue" --body 'Not any more'
    in_work ann ngit issue close "$issue"
    in_work cleo ngit issue view "$issue" --json --comments >"$place/seen.json"
    grep '"status": "closed"' "$place/seen.json"
    grep 'Not any more' "$place/seen.json"
}

# What ngit does not even try is tried with the server's own client.
invited_may_not_push() {
    in_work ann ngit repo edit --add-maintainer "$(npub bob)"
    in_work bob git pull -q
    commit bob early
    refused 'run `ngit repo accept` first' in_work bob git push origin main
    in_work bob git remote add grapnel "$url/$(npub ann)/tour.git"
    refused "invited by $(npub ann): announce this repository and list them to accept" \
        ./grapnel repo state -C "$place/bob/work" --key "$place/bob/key.nsec"
    refused 'authorisation failed' in_work bob git push grapnel main
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
}

second_maintainer_pushes() {
    in_work bob ngit repo accept
    in_work bob git push origin main
    same main "$(head_of bob)" "$(served ann refs/heads/main)"
    in_work ann git pull -q
    same "Ann's HEAD" "$(head_of bob)" "$(head_of ann)"
    commit ann five
    in_work ann git push origin main
    same 'main of Ann' "$(head_of ann)" "$(served ann refs/heads/main)"
}

third_maintainer_has_a_copy() {
    in_work ann ngit repo edit --add-maintainer "$(npub dora)"
    in_work dora git pull -q
    in_work dora ngit repo accept --grasp-server "$url"
    same 'main of Dora' "$(head_of ann)" "$(served dora refs/heads/main)"
    same 'v1 of Dora' "$(in_work ann git rev-parse v1)" "$(served dora refs/tags/v1)"
    commit dora six
    in_work dora git push origin main
    same 'main of Dora' "$(head_of dora)" "$(served dora refs/heads/main)"
    same 'main of Ann' "$(head_of dora)" "$(served ann refs/heads/main)"
}

who_is_behind_pulls_first() {
    in_work bob git reset -q --hard origin/main
    commit bob seven
    refused 'non-fast-forward' in_work bob git push origin main
    same main "$(head_of dora)" "$(served ann refs/heads/main)"
    in_work bob git pull -q --rebase
    in_work bob git push origin main
    same main "$(head_of bob)" "$(served ann refs/heads/main)"
}

removed_maintainer_may_not_push() {
    in_work ann git pull -q
    in_work ann ngit repo edit --remove-maintainer "$(npub bob)"
    commit bob late
    refused 'not a confirmed maintainer' in_work bob git push origin main
    refused 'restricted: author not authorized' \
        ./grapnel repo state -C "$place/bob/work" --key "$place/bob/key.nsec"
    refused 'authorisation failed' in_work bob git push grapnel main
    same main "$(head_of ann)" "$(served ann refs/heads/main)"
}

lead_is_handed_over() {
    in_work dora git pull -q
    in_work dora ngit repo edit --lead-maintainer "$(npub dora)"
    in_work ann ngit repo edit --lead-maintainer "$(npub dora)"
    in_work ann ngit repo leave
    commit ann gone
    refused 'no longer a confirmed maintainer' in_work ann git push origin main
    in_work ann ngit account export-keys --secret >"$place/ann/key.nsec"
    in_work ann git remote add grapnel "$url/$(npub ann)/tour.git"
    refused 'you have ended your own role' ./grapnel repo state -C "$place/ann/work" --key "$place/ann/key.nsec"
    in_work dora ngit repo follow-lead
    commit dora eight
    in_work dora git push origin main
    for name in ann bob dora; do
        same "main of $name" "$(head_of dora)" "$(served "$name" refs/heads/main)"
    done
}

nothing_waits() {
    (cd "$place/server" && "$root/grapnel" purgatory list) | grep 'nothing of that sort'
}

all_is_settled() {
    nothing_waits
    (cd "$place/server" && "$root/grapnel" check) | grep 'no differences'
}
