"""Every push of service 6.8, and every reason of 6.6 beside, with what stock git says of it."""

import asyncio

from people import CLOCK, ann, bob, carol, id_of, lead, maintainer
from tools import Gateway
from verbs import HELD, SERVED

ROLES = [lead(ann), maintainer(bob)]
FAILED = "authorisation failed: "
INNOCENT = "atomic push failed"


def mismatch(why):
    return f"{FAILED}1 state event(s) in purgatory from authorized publisher(s) but doesn't match push ({why})"


async def every_push(s, c):
    url, remote = s.server.url(ann, "rows"), s.server.remote(ann, "rows")

    async with s.step("6.8", "A repository of Ann's with main, and Bob for a maintainer who hosts elsewhere"):
        c.a = await s.git.commit("aaaa")
        await s.publish(ann.announcement("rows", s.server, ROLES), HELD)
        await s.publish(bob.announcement("rows", s.server, ROLES, here=False), HELD)
        await s.publish(ann.state("rows", {"main": c.a}), HELD)
        await s.pushes(ann, "rows", "main")
        await s.shows(ann, "rows", {"main": c.a})

    async with s.step("6.8", "nothing but flush: 200, empty"):
        path = f"/{ann.npub}/rows.git/git-receive-pack"
        answer = s.server.get(path, b"0000", "application/x-git-receive-pack-request")
        s.check("answer to 0000", answer, (200, b""))
        c.b = await s.git.commit("bbbb", bytes=200_000)
        await s.publish(ann.state("rows", {"main": c.b}), HELD)
        # Ahead of what is larger than this, git sends it by itself.
        await s.pushes(ann, "rows", "main", settings=["-c", "http.postBuffer=65536"])

    async with s.step("6.8", "all commands void: ok, no event needed"):
        c.c = await s.git.commit("cccc")
        await s.publish(ann.state("rows", {"main": c.c}), HELD)
        await s.pushes(ann, "rows", "main", meanwhile=lambda: s.pushes(ann, "rows", "main"))
        await s.shows(ann, "rows", {"main": c.c})

    async with s.step("6.8", "branch not in state: refused"):
        c.d = await s.git.commit("dddd")
        await s.publish(ann.state("rows", {"main": c.d}), HELD)
        why = "refs/heads/other is pushed but not declared in the state"
        await s.refused(ann, "rows", ["main", f"{c.c}:refs/heads/other"], {"main": INNOCENT, "other": mismatch(why)},
                        f"git push {remote} main other", [why])
        await s.pushes(ann, "rows", "main")

    async with s.step("6.8", "state has two new branches, only one pushed: refused, nothing kept"):
        c.e, c.f = await s.git.commit("eeee", on="dev"), await s.git.commit("ffff")
        await s.publish(ann.state("rows", {"main": c.f, "dev": c.e}), HELD)
        why = f"refs/heads/dev missing (state declares {c.e[:8]})"
        pushed = await s.refused(ann, "rows", ["main"], {"main": mismatch(why)},
                                 f"git push {url} refs/heads/dev refs/heads/main", [why])
        await s.unfetchable(ann, "rows", c.f)
        await s.hint_helps(pushed)
        await s.shows(ann, "rows", {"main": c.f, "dev": c.e})

    async with s.step("6.8", "annotated tag, state carries both refs/tags/v2 and refs/tags/v2^{}: ok, ^{} ignored"):
        tag = await s.git.tag("v2", c.f)
        c.tagged = {"tags/v2": tag, "tags/v2^{}": c.f}
        await s.publish(ann.state("rows", {"main": c.f, "dev": c.e, **c.tagged}), HELD)
        await s.pushes(ann, "rows", "v2")
        await s.shows(ann, "rows", {"main": c.f, "dev": c.e, **c.tagged})

    async with s.step("6.8", "deletion of a branch the state no longer lists: ok (already done by then)"):
        async def sign_without_dev():
            await s.publish(ann.state("rows", {"main": c.f, **c.tagged}), SERVED)
            await s.shows(ann, "rows", {"main": c.f, **c.tagged})

        await s.pushes(ann, "rows", ":dev", meanwhile=sign_without_dev)
        c.g = await s.git.commit("gggg")
        await s.publish(ann.state("rows", {"main": c.g}), HELD)
        await s.pushes(ann, "rows", "main", ":v2")
        await s.shows(ann, "rows", {"main": c.g})

    async with s.step("6.8", "branch push while a served empty state governs and nothing is held: refused"):
        await s.publish(ann.state("rows", {}), SERVED)
        await s.shows(ann, "rows", {})
        await s.refused(ann, "rows", ["main"], {"main": FAILED + "No state events in purgatory"},
                        f"git push {remote} main", ["refs/heads/main is pushed but not declared in the state"])
        await s.publish(ann.state("rows", {"main": c.g}), SERVED)

    async with s.step("6.8", "branch push while M(O,d) is empty: refused"):
        c.h = await s.git.commit("hhhh")
        await s.publish(ann.announcement("rows", s.server, [lead(ann), lead(bob)]), SERVED)
        await s.refused(ann, "rows", ["main"],
                        {"main": f"{FAILED}No authorized maintainers found: several leads at {ann.npub}"}, "ngit repo")
        await s.publish(ann.announcement("rows", s.server, ROLES), SERVED)

    async with s.step("6.8", "state changes HEAD only: nothing to push; applied when the state arrived"):
        await s.publish(ann.state("rows", {"main": c.g, "dev": c.e}), SERVED)
        await s.shows(ann, "rows", {"main": c.g, "dev": c.e})
        await s.publish(ann.state("rows", {"main": c.g, "dev": c.e}, head="dev"), SERVED)
        await s.shows(ann, "rows", {"main": c.g, "dev": c.e}, head="dev")
        await s.pushes(ann, "rows", "dev")

    async with s.step("6.8", "correct refs plus refs/notes/x: refused as a whole"):
        await s.publish(ann.state("rows", {"main": c.h, "dev": c.e}), HELD)
        outside = "ref refs/notes/x is outside refs/heads/, refs/tags/ and refs/nostr/"
        pushed = await s.refused(ann, "rows", ["main", f"{c.h}:refs/notes/x"],
                                 {"main": INNOCENT, "refs/notes/x": outside}, f"git push {url} refs/heads/main")
        await s.unfetchable(ann, "rows", c.h)
        await s.hint_helps(pushed)
        await s.shows(ann, "rows", {"main": c.h, "dev": c.e})

    async with s.step("6.8", "correct refs plus refs/nostr/<unknown id>: ok, its own objects staged"):
        c.i, c.j = await s.git.commit("iiii"), await s.git.commit("jjjj", on="proposed")
        proposal = carol.pull_request(ann, "rows", c.j)
        await s.publish(ann.state("rows", {"main": c.i}), HELD)
        await s.pushes(ann, "rows", "main", f"{c.j}:refs/nostr/{id_of(proposal)}")
        await s.shows(ann, "rows", {"main": c.i})
        await s.unfetchable(ann, "rows", c.j)
        await s.publish(proposal, SERVED)
        c.proposed = {"refs/nostr/" + id_of(proposal): c.j}
        await s.shows(ann, "rows", {"main": c.i, **c.proposed})

    async with s.step("6.8", "refs/nostr/123: refused"):
        await s.refused(ann, "rows", [f"{c.i}:refs/nostr/123"],
                        {"refs/nostr/123": FAILED + "Invalid event ID format in ref: refs/nostr/123"})

    async with s.step("6.8", "same push repeated: ok (void)"):
        await s.pushes(ann, "rows", "main")

    async with s.step("6.8", "push realising a held state older than A(O,d): refused: superseded"):
        c.k = await s.git.commit("kkkk")
        await s.publish(ann.state("rows", {"main": c.k}), HELD)
        newer = await s.publish(bob.state("rows", {"main": c.h}), SERVED)
        superseded = f"state event superseded by newer state {id_of(newer)[:8]} of {newer.created_at().as_secs()}"
        await s.refused(ann, "rows", ["main"], {"main": FAILED + superseded}, f"git fetch {url}",
                        [f"refs/heads/main would be at {c.k[:8]} but state declares {c.h[:8]}"])

    async with s.step("6.8", "push realising an older held state while a newer one is held too: ok"):
        older = await s.publish(ann.state("rows", {"main": c.k}), HELD)
        c.l = await s.git.commit("llll")
        newer = await s.publish(bob.state("rows", {"main": c.l}), HELD)
        await s.pushes(ann, "rows", f"{c.k}:refs/heads/main")
        await s.shows(ann, "rows", {"main": c.k, **c.proposed})
        await s.publish(older, (True, "duplicate: already have this event"))
        await s.publish(newer, (True, "duplicate: in purgatory"))
        await s.pushes(ann, "rows", "main")
        await s.publish(newer, (True, "duplicate: already have this event"))
        await s.shows(ann, "rows", {"main": c.l, **c.proposed})

    await every_reason(s, c)


async def every_reason(s, c):
    url, remote = s.server.url(ann, "rows"), s.server.remote(ann, "rows")

    async with s.step("6.6", "another commit than the state declares, and a deletion of what it declares: refused"):
        c.m, c.n = await s.git.commit("mmmm"), await s.git.commit("nnnn")
        held = await s.publish(ann.state("rows", {"main": c.m}), HELD)
        why = f"refs/heads/main would be at {c.n[:8]} but state declares {c.m[:8]}"
        await s.refused(ann, "rows", ["main"], {"main": mismatch(why)}, f"git push {remote} main", [why])
        why = "refs/heads/main is declared in the state but the push deletes it"
        await s.refused(ann, "rows", [":main"], {"main": mismatch(why)}, f"git push {remote} :refs/heads/main", [why])
        await s.publish(ann.deletion(held), SERVED)
        await s.refused(ann, "rows", ["main"], {"main": FAILED + "No state events in purgatory"})

    async with s.step("6.6", "states of invited people only: refused, and told how they accept"):
        await s.publish(bob.state("rows", {"main": c.n}), HELD)
        await s.publish(bob.announcement("rows", s.server, [], here=False), SERVED)
        await s.follows(ann, "rows", {"main": c.k, **c.proposed})
        await s.refused(ann, "rows", ["main"],
                        {"main": f"{FAILED}1 state event(s) in purgatory but none from authorized publishers "
                                 f"({bob.npub} is invited, not confirmed)"}, "ngit repo")
        await s.publish(bob.announcement("rows", s.server, ROLES, here=False), SERVED)
        await s.follows(ann, "rows", {"main": c.l, **c.proposed})
        await s.pushes(ann, "rows", "main")

    async with s.step("6.5", "the ref has moved since git looked: fetch first"):
        c.o = await s.git.commit("oooo")
        await s.publish(ann.state("rows", {"main": c.o}), HELD)

        async def move():
            await s.publish(bob.state("rows", {"main": c.h}), SERVED)

        await s.refused(ann, "rows", ["main"], {"main": f"fetch first: refs/heads/main is at {c.h[:8]}"},
                        f"git fetch {url}", meanwhile=move)

    async with s.step("6.7", "the state is superseded while the pack is on its way: refused, nothing kept"):
        c.p = await s.git.commit("pppp", bytes=200_000)
        await s.publish(ann.state("rows", {"main": c.p}), HELD)
        at = CLOCK.tick()

        async def supersede():
            await asyncio.sleep(1)  # so that the server has judged the push once
            await s.publish(bob.state("rows", {"main": c.h, "dev": c.e}, at=at), SERVED)

        async with Gateway(s.server, 0.5, supersede) as gateway:
            await s.refused(ann, "rows", ["main"], {"main": FAILED + "state changed during push, try again"},
                            f"git push {url} refs/heads/main", through=gateway)
        await s.unfetchable(ann, "rows", c.p)
        await s.shows(ann, "rows", {"main": c.h, "dev": c.e, **c.proposed})
