# A client on rust-nostr, by way of its Python package nostr-sdk, talks to a relay. Argument: the relay's URL.
import asyncio
import json
import sys
import tempfile
from datetime import timedelta

from nostr_sdk import (
    ClientBuilder, EventBuilder, Filter, Keys, Kind, NostrLmdb, RelayUrl, SignerAuthenticator, SyncDirection,
    SyncOptions, Tag, Timestamp,
)
from nostr_sdk.nostr_sdk import uniffi_set_event_loop

URL = RelayUrl.parse(sys.argv[1])
WAIT = timedelta(seconds=20)
failures = 0


def check(step, holds, seen=""):
    global failures
    failures += not holds
    print(f"{'PASS' if holds else 'FAIL'} nostr-sdk: {step}" + ("" if holds else f"; seen: {seen}"), flush=True)


def sign(keys, kind, content="", tags=(), at=None):
    draft = EventBuilder(Kind(kind), content).tags([Tag.parse(list(tag)) for tag in tags])
    if at is not None:
        draft = draft.custom_created_at(Timestamp.from_secs(at))
    return draft.finalize(keys)


def matching(**members):
    return Filter.from_json(json.dumps({name.replace("tag_", "#"): value for name, value in members.items()}))


def ids(events):
    return [event.id().to_hex() for event in events]


async def connected(keys=None, store=None):
    builder = ClientBuilder()
    if keys:
        builder = builder.authenticator(SignerAuthenticator(keys))
    if store:
        builder = builder.database(store)
    client = builder.build()
    await client.add_relay(URL)
    await client.try_connect(WAIT)
    return client, await client.relay(URL)


async def send(client, event):
    """None when it was taken, else what the relay said."""
    output = await client.send_event(event)
    return None if output.success else str(output.failed)


async def fetch(relay, **members):
    return await relay.fetch_events(matching(**members), WAIT)


async def publish_and_query(client, relay, keys):
    me = keys.public_key().to_hex()
    notes = [sign(keys, 1, f"note {i}", [["t", "odd" if i % 2 else "even"]], 1_700_000_000 + i) for i in range(6)]
    refusals = [refusal for note in notes if (refusal := await send(client, note))]
    check("six events are taken", not refusals, refusals)
    for step, members, expected in (
        ("ids", {"ids": [notes[2].id().to_hex(), notes[4].id().to_hex()]}, [4, 2]),
        ("authors", {"authors": [me]}, [5, 4, 3, 2, 1, 0]),
        ("kinds", {"authors": [me], "kinds": [7]}, []),
        ("a tag", {"authors": [me], "tag_t": ["odd"]}, [5, 3, 1]),
        ("since and until", {"authors": [me], "since": 1_700_000_001, "until": 1_700_000_003}, [3, 2, 1]),
        ("limit", {"authors": [me], "limit": 2}, [5, 4]),
    ):
        seen = await fetch(relay, **members)
        check(f"query by {step}", ids(seen) == ids(notes[i] for i in expected), ids(seen))
    counted = await relay.count_events(matching(authors=[me], tag_t=["even"]), WAIT)
    check("count", counted == 3, counted)


async def live(client, relay, keys):
    stream = client.notifications()
    await relay.subscribe(matching(authors=[keys.public_key().to_hex()], kinds=[1, 20001], limit=0))
    while not ((heard := await asyncio.wait_for(stream.next(), 20)).is_message()
               and heard.message.as_enum().is_end_of_stored_events()):
        pass
    note, passing = sign(keys, 1, "live"), sign(keys, 20001, "ephemeral")
    writer, _ = await connected()
    check("two events of another connection are taken", not await send(writer, note) and not await send(writer, passing))
    seen = []
    while len(seen) < 2:
        notification = await asyncio.wait_for(stream.next(), 20)
        if notification.is_new_event():
            seen.append(notification.event.id().to_hex())
    check("both arrive live, in order", seen == ids([note, passing]), seen)
    check("the ephemeral one is not kept", not await fetch(relay, ids=[passing.id().to_hex()]))
    await relay.unsubscribe_all()
    await writer.shutdown()


async def replace_delete_expire(client, relay, keys):
    me = keys.public_key().to_hex()
    now = Timestamp.now().as_secs()
    old, new = (sign(keys, 30023, text, [["d", "page"]], at) for text, at in (("old", now - 10), ("new", now - 5)))
    refusals = await send(client, old), await send(client, new)
    seen = await fetch(relay, authors=[me], kinds=[30023])
    check("a newer version replaces the older", not any(refusals) and ids(seen) == ids([new]), (refusals, ids(seen)))
    refusal = await send(client, old)
    check("an older version is refused as a duplicate", "duplicate: have a newer version" in str(refusal), refusal)
    refusal = await send(client, sign(keys, 5, "", [["a", f"30023:{me}:page"], ["k", "30023"]]))
    check("a deletion request takes it away", not refusal and not await fetch(relay, authors=[me], kinds=[30023]), refusal)
    refusal = await send(client, new)
    check("what was deleted does not come back", "blocked: " in str(refusal), refusal)
    refusal = await send(client, sign(keys, 1, "late", [["expiration", str(now - 1)]]))
    check("an expired event is refused", "invalid: " in str(refusal), refusal)


async def authenticate(keys):
    protected = sign(keys, 1, "protected", [["-"]])
    stranger, _ = await connected()
    refusal = await send(stranger, protected)
    check("a protected event is refused without authentication", "auth-required" in str(refusal), refusal)
    author, relay = await connected(keys)
    refusal = await send(author, protected)
    check("and taken from its author", not refusal and ids(await fetch(relay, ids=[protected.id().to_hex()])), refusal)
    letter = sign(keys, 1059, "sealed", [["p", keys.public_key().to_hex()]])
    refusal = await send(author, letter)
    mine = await fetch(relay, kinds=[1059], tag_p=[keys.public_key().to_hex()])
    check("a gift wrap is read by its recipient", not refusal and ids(mine) == ids([letter]), (refusal, ids(mine)))
    await stranger.shutdown()
    await author.shutdown()


async def synchronize(directory):
    keys = Keys.generate()
    mine = matching(authors=[keys.public_key().to_hex()])
    here = [sign(keys, 1, f"here {i}", at=1_700_000_000 + i // 3) for i in range(700)]
    there = [sign(keys, 1, f"there {i}", at=1_700_000_000 + i // 3) for i in range(800)]
    both = [sign(keys, 1, f"both {i}", at=1_700_000_000 + i // 5) for i in range(2_000)]
    writer, _ = await connected()
    refusals = []
    for start in range(0, 2_800, 100):  # this client forgets answers when it waits for thousands at once
        answers = await asyncio.gather(*(send(writer, event) for event in (there + both)[start:start + 100]))
        refusals += filter(None, answers)
    check("2,800 events are taken", not refusals, refusals[:1])
    await writer.shutdown()
    store = await NostrLmdb.open(directory)
    for event in here + both:
        await store.save_event(event)
    client, relay = await connected(store=store)
    options = SyncOptions().initial_timeout(WAIT).direction(SyncDirection.BOTH)
    report = (await client.sync(mine, None, options)).report
    check("negentropy finds what each side lacks", (len(report.local), len(report.remote)) == (700, 800),
          (len(report.local), len(report.remote)))
    check("the relay takes what it lacked", len(report.sent) == 700, (len(report.sent), report.send_failures))
    check("the client gets what it lacked", len(report.received) == 800, len(report.received))
    counted = await relay.count_events(mine, WAIT), await store.count(mine)
    check("both have everything afterwards", counted == (3_500, 3_500), counted)
    report = (await client.sync(mine, None, options)).report
    check("a second run moves nothing", not (report.local or report.remote), report)
    await client.shutdown()


async def main():
    uniffi_set_event_loop(asyncio.get_running_loop())
    keys = Keys.generate()
    client, relay = await connected()
    await publish_and_query(client, relay, keys)
    await live(client, relay, keys)
    await replace_delete_expire(client, relay, keys)
    await client.shutdown()
    await authenticate(keys)
    with tempfile.TemporaryDirectory() as directory:
        await synchronize(directory)


try:
    asyncio.run(main())
except Exception as failure:
    check("the session ends by itself", False, repr(failure))
sys.exit(1 if failures else 0)
