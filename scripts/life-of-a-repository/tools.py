"""A server to start and to kill, a Nostr client on rust-nostr (the Python package nostr-sdk), the git of this machine,
and a gateway between git and the server."""

import asyncio
import json
import os
import random
import re
import shlex
import signal
import socket
import time
import urllib.error
import urllib.request
from datetime import timedelta

from nostr_sdk import ClientBuilder, ClientMessage, Filter, RelayUrl, SyncOptions

from people import NAMES, id_of

SECONDS = 30  # more than anything here takes on a busy machine
WAIT = timedelta(seconds=SECONDS)


# ---- the server


class Server:
    def __init__(self, program, place, name, *flags):
        self.program, self.flags = program, flags
        self.place = os.path.join(place, name)
        os.makedirs(self.place)
        with socket.socket() as free:  # asked for once, because after a restart it has to be the same
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.authority = f"127.0.0.1:{self.port}"
        self.relay = f"ws://{self.authority}"
        self.base = None
        NAMES.give(self.authority, "<server>")
        NAMES.give(f"127.0.0.1%3A{self.port}", "<server>")
        self.process = None

    def url(self, person, identifier):
        return f"{self.base}{person.npub}/{identifier}.git"

    def remote(self, person, identifier):
        """The URL of the helper that signs a state before it pushes."""
        return f"nostr://{person.npub}/ws%3A%2F%2F127.0.0.1%3A{self.port}/{identifier}"

    async def start(self):
        with open(self.place + ".out", "a") as out, open(self.place + ".log", "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "serve", "--bind-address", self.authority, *self.flags,
                cwd=self.place, stdout=out, stderr=log, stdin=asyncio.subprocess.DEVNULL)
        await until("the server answers", lambda: self.process.returncode is not None or self.answers(), 60)
        if self.process.returncode is not None:
            with open(self.place + ".log", encoding="utf-8") as log:
                raise AssertionError("the server does not start: " + log.read()[-1000:])

    def answers(self):
        with open(self.place + ".out", encoding="utf-8") as out:  # it says where it listens, as it does to everybody
            found = re.search(r" listens on (\S+) and ", out.read())
        self.base = found and found[1]
        return self.base and self.get("health")[0] == 200

    async def kill(self):
        """kill -9."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def stop(self):
        if self.process and self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            await self.process.wait()
        return self.process.returncode if self.process else None

    async def command(self, *words):
        """Exit code and lines of a command for operators."""
        process = await asyncio.create_subprocess_exec(
            self.program, *words, cwd=self.place, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            stdin=asyncio.subprocess.DEVNULL)
        out, _ = await process.communicate()
        return process.returncode, out.decode().splitlines()

    def get(self, path, body=None, content_type=None):
        """Status and body of a plain HTTP request."""
        headers = {"Content-Type": content_type} if content_type else {}
        request = urllib.request.Request(self.base + path.removeprefix("/"), body, headers)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()
        except OSError:
            return 0, b""

    def complaints(self):
        """Warnings of the log, but those of what the story does on purpose."""
        with open(self.place + ".log", encoding="utf-8") as log:
            lines = [line.strip() for line in log if re.search(" (WARN|ERROR) ", line)]
        return [line for line in lines if not re.search(" (push.refused|refs.emptied) ", line)]


async def until(what, holds, seconds=SECONDS):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain until {what}")
        await asyncio.sleep(0.05)


# ---- the Nostr client of another make


def matching(**members):
    return Filter.from_json(json.dumps({name.replace("tag_", "#"): value for name, value in members.items()}))


class Connection:
    """Publishes and asks; a second connection beside it listens to everything that is new."""

    def __init__(self, url):
        self.url = RelayUrl.parse(url)
        self.heard = []

    async def open(self):
        self.client, self.relay, self.messages = await self.connected()
        self.listener, listening, stream = await self.connected()
        await listening.subscribe(matching(limit=0))
        self.listening = asyncio.create_task(self.listen(stream, ready := asyncio.Event()))
        await asyncio.wait_for(ready.wait(), SECONDS)

    async def connected(self):
        client = ClientBuilder().build()
        stream = client.notifications()
        await client.add_relay(self.url)
        await client.try_connect(WAIT)
        return client, await client.relay(self.url), stream

    async def listen(self, stream, ready):
        while True:
            notification = await stream.next()
            if notification is None or notification.is_shutdown():
                return
            if notification.is_message():
                message = notification.message.as_enum()
                if message.is_end_of_stored_events():
                    ready.set()
                elif message.is_event_msg():
                    self.heard.append(message.event)

    async def close(self):
        self.listening.cancel()
        await self.client.shutdown()
        await self.listener.shutdown()

    async def publish(self, event):
        """The relay's OK, letter by letter."""
        await self.relay.send_msg(ClientMessage.event(event))
        end = time.monotonic() + SECONDS
        while True:
            notification = await asyncio.wait_for(self.messages.next(), max(0.1, end - time.monotonic()))
            if notification.is_message():
                message = notification.message.as_enum()
                if message.is_ok() and message.event_id.to_hex() == id_of(event):
                    return message.status, message.message

    async def query(self, **members):
        return list(await self.relay.fetch_events(matching(**members), WAIT))

    async def count(self, **members):
        return await self.relay.count_events(matching(**members), WAIT)

    async def negentropy(self, **members):
        """Ids that a comparison of sets shows, to one who has nothing."""
        options = SyncOptions().initial_timeout(WAIT).dry_run()
        return [each.to_hex() for each in (await self.relay.sync(matching(**members), [], options)).remote]


# ---- stock git


class Git:
    """The git of this machine, with nothing of anybody's configuration."""

    def __init__(self, place):
        self.place = place
        self.work = os.path.join(place, "work")
        self.count = 0
        os.makedirs(os.path.join(place, "hooks"))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": place, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
        }
        with open(os.path.join(place, ".gitconfig"), "w", encoding="utf-8") as config:
            config.write("[user]\nname = Ann\nemail = ann@example.com\n[init]\ndefaultBranch = main\n"
                         "[gc]\nauto = 0\n[advice]\npushUpdateRejected = false\n")

    async def run(self, *arguments, at=None, **environment):
        """Exit code, standard output, standard error."""
        process = await asyncio.create_subprocess_exec(
            "git", *arguments, cwd=at or self.work, env={**self.environment, **environment},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL)
        out, errors = await process.communicate()
        return process.returncode, out.decode(), errors.decode()

    async def must(self, *arguments, at=None):
        code, out, errors = await self.run(*arguments, at=at)
        if code:
            raise AssertionError(f"git {' '.join(arguments)}: {errors}")
        return out.strip()

    async def init(self):
        os.makedirs(self.work)
        await self.must("init", "--quiet")

    async def commit(self, name, on=None, bytes=0):
        """A commit that the story knows by a name: on main, or on main in a branch of its own."""
        if on:
            await self.must("checkout", "--quiet", "-B", on, *(["main"] if on != "main" else []))
        with open(os.path.join(self.work, name), "wb") as file:
            file.write(name.encode() + random.Random(name).randbytes(bytes))
        await self.must("add", name)
        await self.must("commit", "--quiet", "-m", name)
        if on:
            await self.must("checkout", "--quiet", "main")
        return NAMES.give(await self.must("rev-parse", on or "HEAD"), name)

    async def tag(self, name, commit):
        await self.must("tag", "-a", "-m", name, name, commit)
        return NAMES.give(await self.must("rev-parse", "refs/tags/" + name), f"tag-{name}")

    async def ls_remote(self, url, version=2):
        """Refs, with HEAD as the branch it names; None where there is no repository."""
        code, out, errors = await self.run("-c", f"protocol.version={version}", "ls-remote", "--symref", url)
        if code:
            return None if "not found" in errors else errors
        refs = {}
        for line in out.splitlines():
            value, ref = line.split("\t")
            if ref != "HEAD" or value.startswith("ref: "):
                refs[ref] = value.removeprefix("ref: ")
        return refs

    async def clone(self, url, version=2, branch="main"):
        """Clones, as one whose own repositories begin with that branch."""
        self.count += 1
        place = os.path.join(self.place, f"clone-{self.count}")
        settings = "-c", f"protocol.version={version}", "-c", f"init.defaultBranch={branch}"
        await self.must(*settings, "clone", "--quiet", url, place, at=self.place)
        return place

    async def fetch(self, url, commit, version):
        """Why a commit cannot be fetched by its id; nothing if it can."""
        self.count += 1
        place = os.path.join(self.place, f"fetch-{self.count}")
        await self.must("init", "--quiet", place, at=self.place)
        code, _, errors = await self.run("-c", f"protocol.version={version}", "fetch", "--quiet", url, commit, at=place)
        return "; ".join(errors.splitlines()) if code else ""

    async def push(self, url, *refs, meanwhile=None, settings=()):
        """Pushes; `meanwhile` is done after git has read what refs there are, and before it sends what it wants."""
        if not meanwhile:
            return Pushed(*await self.run(*settings, "push", url, *refs))
        hooks = os.path.join(self.place, "hooks")
        asked, go = os.path.join(hooks, "asked"), os.path.join(hooks, "go")
        for path in (asked, go):
            if os.path.exists(path):
                os.remove(path)
        with open(os.path.join(hooks, "pre-push"), "w", encoding="utf-8") as hook:
            hook.write(f"#!/bin/sh\ntouch {shlex.quote(asked)}\nuntil [ -e {shlex.quote(go)} ]; do sleep 0.05; done\n")
        os.chmod(os.path.join(hooks, "pre-push"), 0o755)
        pushing = asyncio.create_task(self.run("-c", "core.hooksPath=" + hooks, "push", url, *refs))
        await until("git has asked", lambda: os.path.exists(asked) or pushing.done())
        await meanwhile()
        with open(go, "w", encoding="utf-8"):
            pass
        return Pushed(*await pushing)


class Pushed:
    """What stock git says of a push."""

    def __init__(self, code, out, errors):
        self.code, self.words = code, out + errors
        self.remote = [line[8:].strip() for line in errors.splitlines() if line.startswith("remote: ")]
        self.reasons = {}
        for mark, what, reason in re.findall(r"^ ([!*+ =-]) .*?(\S+)(?: \((.*)\))?$", errors, re.MULTILINE):
            if mark == "!":
                self.reasons[what] = reason

    @property
    def hint(self):
        return next((line.removeprefix("hint: ") for line in self.remote if line.startswith("hint: ")), None)


class Gateway:
    """Stands between git and the server, and does something when so much of a push has gone through."""

    def __init__(self, server, part, then):
        self.server, self.part, self.then = server, part, then
        self.reached = False

    async def __aenter__(self):
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.listener.close()

    def url(self, url):
        return url.replace(f":{self.server.port}/", f":{self.port}/")

    async def serve(self, reader, writer):
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        except OSError:
            writer.close()
            return
        back = asyncio.create_task(self.pass_on(to_reader, writer))
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                to_writer.write(head)
                length = re.search(rb"(?i)content-length: (\d+)", head)
                size = int(length[1]) if length else 0
                sent = 0
                while sent < size:
                    block = await reader.read(min(4096, size - sent))
                    if not block:
                        return
                    to_writer.write(block)
                    await to_writer.drain()
                    sent += len(block)
                    if b"git-receive-pack" in head and sent > 4 and sent >= size * self.part and not self.reached:
                        self.reached = True
                        await self.then()
        except (OSError, asyncio.IncompleteReadError):
            pass  # one of both hung up
        finally:
            to_writer.close()
            await back

    @staticmethod
    async def pass_on(reader, writer):
        try:
            while block := await reader.read(65536):
                writer.write(block)
                await writer.drain()
        except OSError:
            pass  # the server is gone, or git is
        finally:
            writer.close()
