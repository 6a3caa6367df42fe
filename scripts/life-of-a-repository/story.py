"""The life of one repository, as the specification tells it (README 3, steps 1 to 14 and 18 to 23), and after it every
row of service 6.8. Arguments: the program, a directory to work in, and --kill to kill the server before every step."""

import asyncio
import signal
import sys
import time

from nostr_sdk.nostr_sdk import uniffi_set_event_loop

from people import (
    ANNOUNCEMENT, CLOCK, COMMENT, MERGED, PULL_REQUEST, STATE, ann, bob, carol, dave, ended, id_of, lead, maintainer,
    tampered,
)
from pushes import every_push
from tools import until
from verbs import HELD, NOT_AUTHORIZED, SERVED, UNRELATED, Story

ROLES = [lead(ann), maintainer(bob)]


async def first_life(s, c):
    async with s.step(1, "Ann announces x: clone and relays here, roles M Ann, m Bob. Gate: hash, signature, policy"):
        announced = ann.announcement("x", s.server, ROLES)
        c.announced = announced
        early = announced.created_at().as_secs() - 1
        answer = await s.relay.publish(ann.announcement("x", s.server, ROLES, here=False, at=early))
        blocked = "blocked: announcement must list this service in both 'clone' and 'relays' tags"
        s.check("one that lists another service", (answer[0], answer[1].split(" (")[0]), (False, blocked), answer)
        answer = await s.relay.publish(tampered(announced, content="changed"))
        invalid = "invalid: id is not the hash of the event"
        s.check("a changed event", (answer[0], answer[1].split(",")[0]), (False, invalid), answer)
        await s.publish(tampered(announced, sig="0" * 128),
                        (False, "invalid: signature does not verify, or pubkey is not on the curve"))
        await s.publish(announced, HELD)
        await s.publish(announced, (True, "duplicate: in purgatory"))

    async with s.step(2, "Hosted, no data yet: REQ shows nothing; ls-remote answers 200 without refs"):
        await s.serves("everything served", [])
        await s.hears("what a subscription gets", [])
        await s.shows(ann, "x", {})
        status, _ = s.server.get(f"/{ann.npub}/x.git/info/refs?service=git-upload-pack")
        s.check("status of info/refs", status, 200)

    s.skip(3, "Within 5 s sync asks the announcement's relays for states of x", "sync is no part of this version")

    async with s.step(4, "Ann's state (main=1111, HEAD main) arrives; author in M, objects missing: held"):
        c.one = await s.git.commit("1111", bytes=200_000)
        hint = f"git push {s.server.remote(ann, 'x')} main"
        await s.refused(ann, "x", ["main"], {"main": "authorisation failed: No state events in purgatory"}, hint)
        c.first = await s.publish(ann.state("x", {"main": c.one}), HELD)
        await s.serves("everything served", [])
        await s.hears("what a subscription gets", [])
        await s.shows(ann, "x", {})

    async with s.step(5, "git push main: agrees with the state and completes its objects, so it is authorised"):
        if s.is_killing:
            await s.killed_during(ann, "x", "main")
            await s.shows(ann, "x", {})
            await s.unfetchable(ann, "x", c.one)
        await s.pushes(ann, "x", "main")
        # 7: when git has read ok, both are there
        await s.serves("everything served when git has read ok", [c.announced, c.first])
        await s.hears("what a subscription gets, in this order", [c.announced, c.first])

    async with s.step(6, "Refs and HEAD are aligned and durable"):
        await s.shows(ann, "x", {"main": c.one})

    async with s.step(7, "Announcement and state are served, neither is held any more"):
        await s.serves("everything served", [c.announced, c.first])
        await s.publish(c.announced, (True, "duplicate: already have this event"))
        await s.publish(c.first, (True, "duplicate: already have this event"))

    async with s.step(8, "Clones see main=1111"):
        for version in (0, 2):
            clone = await s.git.clone(s.server.url(ann, "x"), version=version)
            s.check(f"a clone, version {version}", await s.git.must("rev-parse", "HEAD", at=clone), c.one)
            s.check("its branch", await s.git.must("symbolic-ref", "HEAD", at=clone), "refs/heads/main")
            await s.git.must("fsck", "--strict", at=clone)
    s.skip(8, "Sync rises to Full", "sync is no part of this version")

    async with s.step(9, "A push without a new state is refused per ref, with the difference and a command to copy"):
        c.two = await s.git.commit("2222", bytes=200_000)
        c.refusal = await s.refused(
            ann, "x", ["main"], {"main": "authorisation failed: No state events in purgatory"},
            f"git push {s.server.remote(ann, 'x')} main",
            [f"refs/heads/main would be at {c.two[:8]} but state declares {c.one[:8]}"])
        await s.unfetchable(ann, "x", c.two)


async def together(s, c):
    async with s.step(10, "Bob, listed but not yet announced, signs main=2222: restricted"):
        invited = f"{NOT_AUTHORIZED} (invited by {ann.npub}: announce this repository and list them to accept)"
        await s.publish(bob.state("x", {"main": c.two}), (False, invited))

    async with s.step(11, "Bob announces x (M Ann, m Bob): aligned and served at once; he pushes 2222, Ann's moves"):
        c.bobs = await s.publish(bob.announcement("x", s.server, ROLES), SERVED)
        await s.shows(bob, "x", {"main": c.one})
        await s.hears("what a subscription gets", [c.bobs])
        c.second = await s.publish(bob.state("x", {"main": c.two}), HELD)
        if s.is_killing:
            await s.killed_during(bob, "x", "main")
            await s.unfetchable(bob, "x", c.two)
            await s.killed_during(bob, "x", "main", part=1)
        await s.pushes(bob, "x", "main")
        await s.shows(ann, "x", {"main": c.two})
        await s.shows(bob, "x", {"main": c.two})
        await s.serves("states", [c.first, c.second], kinds=[STATE])
        same = CLOCK.tick()
        anns = await s.publish(ann.state("x", {"main": c.one}, at=same), SERVED)
        bobs = await s.publish(bob.state("x", {"main": c.two}, at=same), SERVED)
        lower = c.one if id_of(anns) < id_of(bobs) else c.two
        s.check_that("same second, the lower id governs", True, f"{id_of(anns)[:4]} by Ann, {id_of(bobs)[:4]} by Bob")
        await s.shows(ann, "x", {"main": lower})
        await s.shows(bob, "x", {"main": lower})
        c.anns = anns
        c.second = await s.publish(bob.state("x", {"main": c.two}), SERVED)
        await s.shows(ann, "x", {"main": c.two})
        s.relay.heard.clear()

    async with s.step(12, "Carol pushes 3333 to refs/nostr/<id> before her event: no ref, not fetchable"):
        c.three = await s.git.commit("3333", on="proposal", bytes=200_000)
        c.proposal = carol.pull_request(ann, "x", c.three)
        ref = "refs/nostr/" + id_of(c.proposal)
        if s.is_killing:
            await s.killed_during(ann, "x", f"{c.three}:{ref}")
            await s.killed_during(ann, "x", f"{c.three}:{ref}", part=1)
        await s.pushes(ann, "x", f"{c.three}:{ref}")
        for owner in (ann, bob):
            await s.shows(owner, "x", {"main": c.two})
            await s.unfetchable(owner, "x", c.three)
        _, offered = s.server.get(f"/{bob.npub}/x.git/info/refs?service=git-receive-pack")
        s.check("3333 in the advertisement for pushes", c.three.encode() in offered, False)

    async with s.step(13, "Her PR with c=3333 arrives: refs in Ann's and Bob's repositories, PR served"):
        ref = "refs/nostr/" + id_of(c.proposal)
        await s.publish(c.proposal, SERVED)
        for owner in (ann, bob):
            await s.shows(owner, "x", {"main": c.two, ref: c.three})
            await s.fetchable(owner, "x", c.three)
        await s.serves("PRs", [c.proposal], kinds=[PULL_REQUEST])

    async with s.step(13, "With another c: the upload is deleted, the event held, until its own commit comes"):
        wrong, right = await s.git.commit("4444", on="wrong"), await s.git.commit("5555", on="right")
        other = carol.pull_request(ann, "x", right)
        ref = "refs/nostr/" + id_of(other)
        await s.pushes(ann, "x", f"{wrong}:{ref}")
        await s.publish(other, HELD)
        await s.unfetchable(ann, "x", wrong)
        await s.publish(dave.comment(other, what="comment on a held PR"), UNRELATED)
        await s.refused(
            ann, "x", [f"{wrong}:{ref}"],
            {ref: f"authorisation failed: PR event {id_of(other)} specifies commit {right}, but push contains {wrong}"},
            f"git push {s.server.url(ann, 'x')} {right}:{ref}")
        await s.serves("PRs", [c.proposal], kinds=[PULL_REQUEST])
        await s.pushes(ann, "x", f"{right}:{ref}")
        await s.serves("PRs", [c.proposal, other], kinds=[PULL_REQUEST])
        c.proposals = {"refs/nostr/" + id_of(c.proposal): c.three, ref: right}
        c.other = other
        await s.shows(bob, "x", {"main": c.two, **c.proposals})

    async with s.step(14, "Comments and statuses follow, because they refer to a served anchor"):
        c.comment = await s.publish(dave.comment(c.proposal), SERVED)
        c.status = await s.publish(ann.status(c.proposal), SERVED)
        await s.publish(dave.sign("note", 1, [], "about nothing"), UNRELATED)
        await s.serves("comments and statuses", [c.comment, c.status], kinds=[COMMENT, MERGED])


async def restarts(s, c):
    async with s.step(18, "kill -9: whatever was answered OK is there again, held or served"):
        c.six = await s.git.commit("6666", bytes=400_000)
        held = await s.publish(ann.state("x", {"main": c.six}), HELD)
        before = sorted(map(id_of, await s.relay.query()))
        await s.killed()
        s.check("what is served", sorted(map(id_of, await s.relay.query())), before, f"the same {len(before)} events")
        await s.publish(held, (True, "duplicate: in purgatory"))
        await s.shows(ann, "x", {"main": c.two, **c.proposals})
        await s.killed_during(ann, "x", "main")
        await s.shows(ann, "x", {"main": c.two, **c.proposals})
        await s.unfetchable(ann, "x", c.six)
        await s.killed_during(ann, "x", "main", part=1)
        await s.pushes(ann, "x", "main")
        for owner in (ann, bob):
            await s.shows(owner, "x", {"main": c.six, **c.proposals})
        await s.serves("states", [held, c.second], kinds=[STATE])

    async with s.step(19, "Restart in order: the same is served, and what was held is held"):
        c.seven = await s.git.commit("7777")
        held = await s.publish(bob.state("x", {"main": c.seven}), HELD)
        before = sorted(map(id_of, await s.relay.query()))
        s.check("exit code after SIGTERM", await s.end(), 0)
        began = time.monotonic()
        await s.server.start()
        s.check_that("it answers again", True, f"after {time.monotonic() - began:.1f} s")
        await s.connect()
        s.check("what is served", sorted(map(id_of, await s.relay.query())), before, f"the same {len(before)} events")
        await s.pushes(bob, "x", "main")
        for owner in (ann, bob):
            await s.shows(owner, "x", {"main": c.seven, **c.proposals})
        c.bobs_state = held
        # from here on Ann's newest state is one of two refs, and Bob's names the tip above
        c.anns_state = await s.publish(ann.state("x", {"main": c.six}), SERVED)
        c.bobs_state = await s.publish(bob.state("x", {"main": c.seven}), SERVED)


async def expiry(s, c):
    async with s.step(20, "Had nothing been pushed in 30 min: repository gone, event kept hidden, revived by a state"):
        flags = "--purgatory-expiry-secs=8", "--purgatory-sweep-interval-secs=1", "--hunt-enabled=false"
        async with s.another("quick", *flags) as quick:
            announced = await quick.publish(ann.announcement("x", quick.server, []), HELD)
            await quick.publish(ann.announcement("y", quick.server, []), HELD)
            await asyncio.sleep(5)
            await quick.publish(ann.state("y", {"main": c.one}), HELD)
            place = f"/{ann.npub}/x.git/info/refs?service=git-upload-pack"
            await until("the repository is gone", lambda: quick.server.get(place)[0] == 404)
            await quick.shows(ann, "x", None)
            await quick.shows(ann, "y", {})  # its time began again when its state came
            await quick.serves("everything served", [])
            await quick.killed()
            state = await quick.publish(ann.state("x", {"main": c.one}), HELD)
            await quick.shows(ann, "x", {})
            await quick.pushes(ann, "x", f"{c.one}:refs/heads/main")
            await quick.shows(ann, "x", {"main": c.one})
            await quick.serves("x", [announced, state], tag_d=["x"])

    async with s.step(20, "And after 24 h more it is forgotten"):
        flags = "--purgatory-expiry-secs=2", "--purgatory-soft-expiry-secs=2", "--purgatory-sweep-interval-secs=1"
        async with s.another("brief", *flags, "--hunt-enabled=false") as brief:
            await brief.publish(ann.announcement("x", brief.server, []), HELD)
            answer = HELD
            end = time.monotonic() + 60
            while answer == HELD and time.monotonic() < end:
                await asyncio.sleep(6)  # a state that is taken revives it, so this is longer than both times
                answer = await brief.relay.publish(ann.state("x", {"main": c.one}))
            s.check("Ann's state", answer, (False, "invalid: no announcement exists for this repository"))


async def roles(s, c):
    """Whose state governs: main is 7777 while Bob's newest counts, and 6666 when only Ann's does."""

    async def both_show(tip):
        for owner in (ann, bob):
            await s.follows(owner, "x", {"main": tip, **c.proposals})

    async with s.step(21, "Ann ends Bob's record: refs of both fall back to Ann's newest state, Bob's are refused"):
        await both_show(c.seven)
        await s.publish(ann.announcement("x", s.server, [lead(ann), ended(maintainer(bob))]), SERVED)
        await both_show(c.six)
        await s.publish(bob.state("x", {"main": c.one}),
                        (False, f"{NOT_AUTHORIZED} (lead {ann.npub} does not list you)"))

    async with s.step(21, "Removed by Ann and listed again, he is back at once"):
        await s.publish(ann.announcement("x", s.server, ROLES), SERVED)
        await both_show(c.seven)

    async with s.step(21, "Bob ends his own: the same"):
        await s.publish(bob.announcement("x", s.server, [lead(ann), ended(maintainer(bob))]), SERVED)
        await both_show(c.six)
        await s.publish(bob.state("x", {"main": c.one}), (False, f"{NOT_AUTHORIZED} (you have ended your own role)"))
        c.bobs = await s.publish(bob.announcement("x", s.server, ROLES), SERVED)
        await both_show(c.seven)

    async with s.step(21, "Bob deletes his state: refs fall back to Ann's, and what he signs next counts"):
        await s.publish(bob.deletion(c.bobs_state), SERVED)
        await both_show(c.six)
        await s.publish(c.bobs_state, (False, "blocked: deletion of this event was requested by its author"))
        c.bobs_state = await s.publish(bob.state("x", {"main": c.seven}), SERVED)
        await both_show(c.seven)

    async with s.step(21, "Ann hands over (M Bob, own role ended); until Bob takes the lead, refs stay"):
        await s.publish(ann.announcement("x", s.server, [lead(bob), ended(maintainer(ann))]), SERVED)
        await both_show(c.seven)
        await s.refused(ann, "x", [f"{c.one}:refs/heads/other"],
                        {"other": "authorisation failed: No authorized maintainers found: lead cycle"}, "ngit repo")

    async with s.step(21, "Bob takes the lead (M Bob): Ann's path follows Bob"):
        await s.publish(bob.announcement("x", s.server, [lead(bob)]), SERVED)
        c.eight = await s.git.commit("8888")
        await s.publish(bob.state("x", {"main": c.eight}), HELD)
        await s.pushes(ann, "x", "main")
        await both_show(c.eight)
        await s.publish(ann.state("x", {"main": c.one}), (False, f"{NOT_AUTHORIZED} (you have ended your own role)"))

    async with s.step(21, "And he hands back"):
        c.announced = await s.publish(ann.announcement("x", s.server, ROLES), SERVED)
        c.bobs = await s.publish(bob.announcement("x", s.server, ROLES), SERVED)
        await both_show(c.eight)


async def empty(s, c):
    async with s.step(22, "Ann publishes an empty state: all branches and tags go, HEAD is the unborn main"):
        c.tag = await s.git.tag("v1", c.eight)
        c.tagged = {"main": c.eight, "tags/v1": c.tag, "tags/v1^{}": c.eight}
        await s.publish(ann.state("x", {"main": c.eight, "tags/v1": c.tag}), HELD)
        await s.pushes(ann, "x", "v1")
        await s.shows(bob, "x", {**c.tagged, **c.proposals})
        emptied = await s.publish(ann.state("x", {}), SERVED)
        for owner in (ann, bob):
            await s.shows(owner, "x", c.proposals)
        await s.theorem_holds(f"the empty state {id_of(emptied)} removed 2 refs")
        clone = await s.git.clone(s.server.url(ann, "x"), branch="trunk")
        s.check("HEAD of a clone by one whose default is trunk", await s.git.must("symbolic-ref", "HEAD", at=clone),
                "refs/heads/main")
        await s.unfetchable(ann, "x", c.tag)

    async with s.step(22, "The next state that names them brings them back without a push"):
        await s.publish(ann.state("x", {"main": c.eight, "tags/v1": c.tag}), SERVED)
        for owner in (ann, bob):
            await s.shows(owner, "x", {**c.tagged, **c.proposals})

    async with s.step(22, "Deleting the last state, instead, leaves refs as they are"):
        announced = await s.publish(ann.announcement("z", s.server, []), HELD)
        state = await s.publish(ann.state("z", {"main": c.one}), HELD)
        await s.pushes(ann, "z", f"{c.one}:refs/heads/main")
        await s.publish(ann.deletion(state), SERVED)
        await s.serves("z", [announced], tag_d=["z"])
        await s.shows(ann, "z", {"main": c.one})


async def end_of_life(s, c):
    refs = {**c.tagged, **c.proposals}

    async with s.step(23, "Ann's announcement stops listing the service: served, pushes refused, reads go on, frozen"):
        c.left = await s.publish(ann.announcement("x", s.server, ROLES, here=False), SERVED)
        await s.serves("Ann's announcement", [c.left], kinds=[ANNOUNCEMENT], authors=[ann.key], tag_d=["x"])
        await s.refused(ann, "x", [f"{c.one}:refs/heads/other"],
                        {"other": "authorisation failed: repository announcement no longer lists this service"})
        c.last = await s.publish(bob.state("x", {"main": c.seven}), SERVED)
        await s.shows(ann, "x", refs)
        await s.shows(bob, "x", {"main": c.seven, **c.proposals})

    async with s.step(23, "Deleting it takes it into trash, with the states and PRs only it carried; text stays"):
        states = await s.relay.query(kinds=[STATE], tag_d=["x"])
        s.check("states before", len(states), 2)
        await s.publish(ann.deletion(f"{ANNOUNCEMENT}:{ann.key}:x"), SERVED)
        await s.follows(ann, "x", None)
        await s.follows(bob, "x", {"main": c.seven})  # nobody leads it now, so branches stay; PRs are not served
        leaderless = f"No authorized maintainers found: lead {ann.npub} has no announcement here"
        await s.refused(bob, "x", [f"{c.one}:refs/heads/other"], {"other": "authorisation failed: " + leaderless},
                        "ngit repo")
        await s.serves("x", [c.bobs], tag_d=["x"])
        await s.serves("PRs", [], kinds=[PULL_REQUEST])
        await s.serves("comments and statuses", [c.comment, c.status], kinds=[COMMENT, MERGED])

    async with s.step(23, "Announced again, it is back with its data, its states and its PRs"):
        again = await s.publish(ann.announcement("x", s.server, ROLES), SERVED)
        for owner in (ann, bob):
            await s.follows(owner, "x", {"main": c.seven, **c.proposals})
        await s.serves("announcements", [again, c.bobs], kinds=[ANNOUNCEMENT], tag_d=["x"])
        await s.serves("states", states, kinds=[STATE], tag_d=["x"])
        await s.serves("PRs", [c.proposal, c.other], kinds=[PULL_REQUEST])


async def theorem(s, c):
    async with s.step("Section 4", "Refs are a pure function of signed events and objects present"):
        await s.theorem_holds("no differences")


class Chapter:
    """What later steps know of earlier ones."""


async def main():
    loop = asyncio.get_running_loop()
    uniffi_set_event_loop(loop)
    loop.add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)  # so that no server is left behind
    s, c = Story(sys.argv[1], sys.argv[2], "--kill" in sys.argv), Chapter()
    try:
        await s.begin()
        for part in (first_life, together, restarts, expiry, roles, empty, end_of_life, every_push, theorem):
            await part(s, c)
    finally:
        await s.end()
    complaints = s.server.complaints()
    for line in complaints:
        print("FAIL the server complained: " + line)
    print(f"{s.steps} steps, {s.failed} failed, {s.kills} times killed")
    return 1 if s.failed or complaints else 0


sys.exit(asyncio.run(main()))
