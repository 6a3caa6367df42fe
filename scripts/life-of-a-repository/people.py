"""Ann, Bob and the others: what they sign, and names for what would be too long to read."""

import hashlib
import json
import time

from nostr_sdk import Event, EventBuilder, Keys, Kind, Tag, Timestamp

ANNOUNCEMENT, STATE, PULL_REQUEST, COMMENT, MERGED, DELETION = 30617, 30618, 1618, 1111, 1631, 5


class Names:
    """What stands for long ids where people read: commits, keys and events by the names the story gives them."""

    def __init__(self):
        self.names = {}

    def give(self, value, name):
        self.names[value] = name
        return value

    def plain(self, seen):
        text = str(seen)
        for value, name in self.names.items():
            text = text.replace(value, name).replace(value[:8], name) if len(value) >= 40 else text.replace(value, name)
        return text


NAMES = Names()


class Clock:
    """Everything in the story is signed a second after what was signed before it."""

    def __init__(self):
        self.second = int(time.time()) - 3600

    def tick(self):
        self.second += 1
        return self.second


CLOCK = Clock()


class Person:
    def __init__(self, name):
        self.name = name
        self.keys = Keys.parse(hashlib.sha256(name.encode()).hexdigest())
        self.key = NAMES.give(self.keys.public_key().to_hex(), f"{name}'s key")
        self.npub = NAMES.give(self.keys.public_key().to_bech32(), f"<npub {name}>")

    def sign(self, what, kind, tags, content="", at=None):
        draft = EventBuilder(Kind(kind), content).tags([Tag.parse(list(tag)) for tag in tags])
        event = draft.custom_created_at(Timestamp.from_secs(at or CLOCK.tick())).finalize(self.keys)
        NAMES.give(id_of(event), f"{self.name}'s {what}")
        return event

    def announcement(self, identifier, server, roles, here=True, what="announcement", at=None):
        """Roles are tags, as lead(...), maintainer(...) and ended(...) make them; here: whether it lists the server."""
        clone, relay = server.url(self, identifier), server.relay
        if not here:
            clone, relay = (url.replace(server.authority, "elsewhere.example") for url in (clone, relay))
        tags = [["d", identifier], ["clone", clone], ["relays", relay], *roles]
        return self.sign(f"{what} of {identifier}", ANNOUNCEMENT, tags, at=at)

    def state(self, identifier, refs, head="main", at=None):
        tags = [["d", identifier], *([full(ref), value] for ref, value in refs.items())]
        if refs:
            tags.append(["HEAD", "ref: refs/heads/" + head])
        declared = ", ".join(f"{ref}={NAMES.plain(value)}" for ref, value in refs.items())
        return self.sign(f"state {declared}" if refs else "empty state", STATE, tags, at=at)

    def pull_request(self, target, identifier, commit):
        tags = [["a", f"{ANNOUNCEMENT}:{target.key}:{identifier}"], ["c", commit], ["p", target.key]]
        return self.sign(f"PR with c={NAMES.plain(commit)}", PULL_REQUEST, tags, "please take this")

    def comment(self, event, content="nice", what="comment"):
        tags = [["E", id_of(event)], ["K", str(PULL_REQUEST)], ["e", id_of(event)], ["k", str(PULL_REQUEST)]]
        return self.sign(what, COMMENT, tags, content)

    def status(self, event):
        return self.sign("status", MERGED, [["e", id_of(event), "", "root"]], "merged")

    def deletion(self, *values):
        """Of events, or of what coordinates name."""
        tags = [["a", value] if isinstance(value, str) else ["e", id_of(value)] for value in values]
        return self.sign("deletion request", DELETION, tags)


def lead(person):
    return ["M", person.key]


def maintainer(person):
    return ["m", person.key]


def ended(role):
    """A role that began and ended."""
    return [*role, "100", "200"]


def id_of(event):
    return event.id().to_hex()


def full(ref):
    """main is refs/heads/main, tags/v1 is refs/tags/v1."""
    return ref if ref.startswith("refs/") else "refs/" + ref if ref.startswith("tags/") else "refs/heads/" + ref


def tampered(event, **members):
    """The event with other members, which nobody signed."""
    return Event.from_json(json.dumps({**json.loads(event.as_json()), **members}))


ann, bob, carol, dave = Person("Ann"), Person("Bob"), Person("Carol"), Person("Dave")
