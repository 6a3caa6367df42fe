"""The verbs of the story: each does something, or looks, and notes what was seen in the present step."""

import asyncio
import re
import shlex
import time
from contextlib import asynccontextmanager

from people import NAMES, full, id_of
from tools import Connection, Gateway, Git, Server, until

HELD = (True, "purgatory: won't be served until git data arrives")
SERVED = (True, "")
NOT_AUTHORIZED = "restricted: author not authorized for this repository"
UNRELATED = (False, "restricted: event must reference an accepted repository or accepted event")


class Story:
    def __init__(self, program, place, is_killing, name="server", *flags):
        self.program, self.place, self.is_killing = program, place, is_killing
        self.failed, self.steps, self.kills = 0, 0, 0
        self.server = Server(program, place, name, *flags)
        self.git = Git(place) if name == "server" else None
        self.relay = None

    async def begin(self):
        await self.git.init()
        await self.server.start()
        await self.connect()

    async def connect(self):
        heard = self.relay.heard if self.relay else []
        self.relay = Connection(self.server.relay)
        self.relay.heard = heard
        await self.relay.open()

    async def end(self):
        """The server's exit code after SIGTERM."""
        if self.relay:
            await self.relay.close()
        return await self.server.stop()

    async def killed(self):
        """kill -9, and started again."""
        self.kills += 1
        await self.relay.close()
        await self.server.kill()
        await self.server.start()
        await self.connect()

    @asynccontextmanager
    async def another(self, name, *flags):
        """A server beside the first, whose life is seen in the same step."""
        other = Story(self.program, self.place, False, name, *flags)
        other.git, other.current = self.git, self.current
        try:
            await other.server.start()
            await other.connect()
            yield other
        finally:
            await other.end()

    def step(self, number, title):
        return Step(self, number, title)

    def skip(self, number, title, why):
        print(f"SKIP {number}. {title}\n       {why}", flush=True)

    # ---- checks; each notes what was seen

    def check(self, what, seen, expected, show=None):
        self.current.note(what, seen == expected, seen if show is None or seen != expected else show, expected)

    def check_that(self, what, holds, seen=""):
        self.current.note(what, holds, seen, None)

    async def publish(self, event, expected):
        """Publishes, and compares the relay's answer."""
        self.check(NAMES.plain(id_of(event)), await self.relay.publish(event), expected)
        return event

    async def serves(self, what, events, **members):
        """These and no others are what REQ, COUNT and negentropy show of what a filter matches."""
        expected = sorted(map(id_of, events))
        asked = sorted(map(id_of, await self.relay.query(**members)))
        counted, compared = await self.relay.count(**members), sorted(await self.relay.negentropy(**members))
        seen = f"REQ {asked}, COUNT {counted}" + ("" if compared == asked else f", NEG {compared}")
        holds = asked == expected and counted == len(expected) and compared == expected
        self.current.note(what, holds, seen, expected)

    async def hears(self, what, events):
        """What the live subscription has got since it was last asked, in order."""
        expected = list(map(id_of, events))
        try:
            await until("the subscription has heard", lambda: len(self.relay.heard) >= len(expected), 10)
            if not expected:
                await asyncio.sleep(0.2)
        except AssertionError:
            pass  # shown below
        self.check(what, list(map(id_of, self.relay.heard)), expected)
        self.relay.heard.clear()

    async def shows(self, owner, identifier, refs, head="main", within=0):
        """What ls-remote shows, in both versions of the protocol; None where nothing is to be found."""
        expected = None
        if refs is not None:
            expected = {full(ref): value for ref, value in refs.items()}
            if full(head) in expected:
                expected["HEAD"] = full(head)
        url = self.server.url(owner, identifier)
        end = time.monotonic() + within
        while True:
            seen = [await self.git.ls_remote(url, version) for version in (0, 2)]
            if seen == [expected, expected] or time.monotonic() > end:
                break
        shown = "no repository" if refs is None else seen[1]
        self.check(f"ls-remote of {owner.name}'s {identifier}", seen, [expected, expected], shown)

    async def follows(self, owner, identifier, refs):
        """The same, where refs follow what was published a moment later, and nobody waits for them."""
        await self.shows(owner, identifier, refs, within=20)

    async def pushes(self, owner, identifier, *refs, meanwhile=None, settings=()):
        """A push that git says was done."""
        url = self.server.url(owner, identifier)
        pushed = await self.git.push(url, *refs, meanwhile=meanwhile, settings=settings)
        said = [line for line in pushed.words.splitlines() if re.search(r"->|\[deleted\]|up-to-date", line)]
        self.check_that(f"git push {NAMES.plain(' '.join(refs))} to {owner.name}'s {identifier}", pushed.code == 0,
                        "; ".join(line.strip() for line in said) if pushed.code == 0 else pushed.words)
        return pushed

    async def refused(self, owner, identifier, refs, reasons, hint=None, words=(), meanwhile=None, through=None):
        """A push that git says was refused: a reason for each ref, these lines for people, and this command to copy."""
        url = self.server.url(owner, identifier)
        before = await self.git.ls_remote(url)
        pushed = await self.git.push(through.url(url) if through else url, *refs, meanwhile=meanwhile)
        what = f"git push {NAMES.plain(' '.join(refs))} to {owner.name}'s {identifier}"
        self.check(f"{what}: git's reasons", pushed.reasons, reasons)
        lacking = [line for line in words if line not in pushed.remote]
        self.current.note(f"{what}: what the remote says", not lacking and pushed.code == 1,
                          pushed.remote, f"lacking {lacking}")
        if hint:
            self.check(f"{what}: its hint", pushed.hint, hint)
        if not meanwhile and not through:
            self.check("no ref moved", await self.git.ls_remote(url), before, "as before")
        return pushed

    async def hint_helps(self, pushed):
        """The command of a hint, copied as it is, does what was refused."""
        words = shlex.split(pushed.hint or "")
        done = await self.git.run(*words[1:]) if words[:1] == ["git"] else (1, "", "no command of git")
        self.check("that hint, copied: git's exit code", done[0], 0, "0" if done[0] == 0 else done)

    async def unfetchable(self, owner, identifier, commit):
        for version in (0, 2):
            seen = await self.git.fetch(self.server.url(owner, identifier), commit, version)
            # Where nothing at all is advertised, git does not even ask in version 0.
            holds = f"not our ref {commit}" in seen or (version == 0 and seen == "fatal: no matching remote head")
            what = f"fetch of {NAMES.plain(commit)} by its id from {owner.name}'s {identifier}, version {version}"
            self.check_that(what, holds, seen or "fetched")

    async def fetchable(self, owner, identifier, commit):
        for version in (0, 2):
            seen = await self.git.fetch(self.server.url(owner, identifier), commit, version)
            what = f"fetch of {NAMES.plain(commit)} by its id from {owner.name}'s {identifier}, version {version}"
            self.check(what, seen, "", "fetched")

    async def theorem_holds(self, *words):
        """In every repository refs are what the signed events say; the check says these words beside."""
        code, lines = await self.server.command("check")
        lacking = [each for each in words if each not in "\n".join(lines)]
        self.current.note("grapnel check", code == 0 and not lacking, "; ".join(lines), f"exit code 0 and {words}")

    async def killed_during(self, owner, identifier, *refs, part=0.5):
        """kill -9 when a part of the push has arrived, and started again."""
        self.kills += 1
        await self.relay.close()
        async with Gateway(self.server, part, self.server.kill) as gateway:
            pushed = await self.git.push(gateway.url(self.server.url(owner, identifier)), *refs)
        what = f"kill -9 when {part:.0%} of a push of {NAMES.plain(' '.join(refs))} had arrived"
        self.check_that(what + ": git's exit code",
                        gateway.reached and pushed.code != 0, pushed.code if gateway.reached else pushed.words)
        await self.server.kill()  # git may have ended before it is known that the server has
        await self.server.start()
        await self.connect()


class Step:
    """Notes what is seen and prints it at its end. With --kill the server is killed before each but the first."""

    def __init__(self, story, number, title):
        self.story, self.number, self.title = story, number, title
        self.notes, self.failed = [], False

    def note(self, what, holds, seen, expected):
        self.failed |= not holds
        line = f"{'saw ' if holds else 'FAIL'} {what}: {seen}"
        if not holds and expected is not None:
            line += f"\n         expected: {expected}"
        self.notes.append(NAMES.plain(line))

    async def __aenter__(self):
        story = self.story
        story.current = self
        if story.is_killing and story.steps:
            await story.killed()
        story.steps += 1

    async def __aexit__(self, kind, problem, trace):
        if isinstance(problem, Exception):
            self.note("the step ends by itself", False, repr(problem), None)
        self.story.failed += self.failed
        print(f"{'FAIL' if self.failed else 'PASS'} {self.number}. {self.title}")
        for note in self.notes:
            print("       " + note)
        print(end="", flush=True)
        return isinstance(problem, Exception)
