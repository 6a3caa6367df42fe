// A client on nostr-tools with the WebSockets of ws talks to a relay. Argument: the relay's URL.
import { finalizeEvent, generateSecretKey, getPublicKey, nip11, nip77 } from 'nostr-tools'
import { Relay, useWebSocketImplementation } from 'nostr-tools/relay'
import { WebSocket } from 'ws'

useWebSocketImplementation(WebSocket)
const url = process.argv[2]
const key = generateSecretKey()
const me = getPublicKey(key)
let failures = 0

function check(step, holds, seen) {
    failures += holds ? 0 : 1
    console.log(`${holds ? 'PASS' : 'FAIL'} nostr-tools: ${step}${holds ? '' : `; seen: ${JSON.stringify(seen)}`}`)
}

const sign = (kind, content = '', tags = [], created_at = Math.floor(Date.now() / 1000)) =>
    finalizeEvent({ kind, content, tags, created_at }, key)
const ids = events => events.map(event => event.id)
const same = (left, right) => JSON.stringify(left) === JSON.stringify(right)
const refusal = promise => promise.then(() => undefined, error => String(error.message ?? error))

function within(promise, what) {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error(`no ${what} in 20 s`)), 20_000).unref())
    return Promise.race([promise, late])
}

function query(relay, ...filters) {
    return within(new Promise((resolve, reject) => {
        const events = []
        const subscription = relay.subscribe(filters, {
            onevent: event => events.push(event),
            oneose: () => (resolve(events), subscription.close()),
            onclose: reason => reject(new Error(reason)),
        })
    }), 'end of stored events')
}

async function publishAndQuery(relay) {
    const notes = Array.from({ length: 6 }, (_, i) =>
        sign(1, `note ${i} "\\ é 🚀 \u2028 \u0001`, [['t', i % 2 ? 'odd' : 'even']], 1_700_000_000 + i))
    const refusals = await Promise.all(notes.map(note => refusal(relay.publish(note))))
    check('six events are taken', refusals.every(it => !it), refusals)
    const expectations = [
        ['ids', [{ ids: [notes[2].id, notes[4].id] }], [4, 2]],
        ['authors', [{ authors: [me] }], [5, 4, 3, 2, 1, 0]],
        ['kinds', [{ authors: [me], kinds: [7] }], []],
        ['a tag', [{ authors: [me], '#t': ['odd'] }], [5, 3, 1]],
        ['since and until', [{ authors: [me], since: 1_700_000_001, until: 1_700_000_003 }], [3, 2, 1]],
        ['limit', [{ authors: [me], limit: 2 }], [5, 4]],
        ['several filters', [{ ids: [notes[0].id] }, { authors: [me], '#t': ['odd'], limit: 1 }], [5, 0]],
    ]
    for (const [step, filters, expected] of expectations) {
        const seen = await query(relay, ...filters)
        check(`query by ${step}`, same(ids(seen), expected.map(i => notes[i].id)), ids(seen))
    }
    const counted = await relay.count([{ authors: [me], '#t': ['even'] }], {})
    check('count', counted === 3, counted)
    const again = await query(relay, { ids: [notes[0].id] })
    check('text comes back as it was', again[0]?.content === notes[0].content, again)
    const bad = await refusal(relay.publish({ ...notes[0], content: 'forged' }))
    check('a forged event is refused', bad?.startsWith('invalid: '), bad)
}

async function live(relay, writer) {
    const seen = []
    const note = sign(1, 'live')
    const arrived = new Promise(resolve => {
        relay.subscribe([{ authors: [me], kinds: [1], limit: 0 }], {
            onevent: event => (seen.push(event), resolve()),
            oneose: () => writer.publish(note),
        })
    })
    await within(arrived, 'live event')
    check('an event of another connection arrives live', same(ids(seen), [note.id]), ids(seen))
}

async function replaceDeleteExpire(relay) {
    const now = Math.floor(Date.now() / 1000)
    const [old, young] = [['old', now - 10], ['new', now - 5]].map(([text, at]) => sign(10002, text, [], at))
    await relay.publish(old)
    await relay.publish(young)
    const seen = await query(relay, { authors: [me], kinds: [10002] })
    check('a newer version replaces the older', same(ids(seen), [young.id]), ids(seen))
    const late = await refusal(relay.publish(old))
    check('an older version is refused as a duplicate', late === 'duplicate: have a newer version', late)
    await relay.publish(sign(5, '', [['e', young.id], ['k', '10002']]))
    const left = await query(relay, { authors: [me], kinds: [10002] })
    check('a deletion request takes it away', left.length === 0, ids(left))
    const expiring = sign(1, 'soon gone', [['expiration', String(now + 3)]])
    await relay.publish(expiring)
    const before = await query(relay, { ids: [expiring.id] })
    await new Promise(resolve => setTimeout(resolve, 4_500))
    const after = await query(relay, { ids: [expiring.id] })
    check('an event goes when it expires', before.length === 1 && after.length === 0, [before.length, after.length])
}

async function authenticate(relay) {
    const secret = sign(1, 'protected', [['-']])
    const refused = await refusal(relay.publish(secret))
    check('a protected event is refused without authentication', refused?.startsWith('auth-required: '), refused)
    const failed = await refusal(relay.auth(draft => finalizeEvent(draft, key)))
    check('its author authenticates', !failed, failed)
    const taken = await refusal(relay.publish(secret))
    check('and then it is taken', !taken, taken)
}

async function synchronize(relay) {
    const note = (text, i) => sign(1621, `${text} ${i}`, [], 1_700_000_000 + Math.floor(i / 3))
    const here = Array.from({ length: 90 }, (_, i) => note('here', i))
    const there = Array.from({ length: 110 }, (_, i) => note('there', i))
    const both = Array.from({ length: 400 }, (_, i) => note('both', i))
    await Promise.all([...there, ...both].map(event => relay.publish(event)))
    const compare = events => within(new Promise((resolve, reject) => {
        const storage = new nip77.NegentropyStorageVector()
        events.forEach(event => storage.insert(event.created_at, event.id))
        storage.seal()
        const [have, need] = [new Set(), new Set()]
        new nip77.NegentropySync(relay, storage, { authors: [me], kinds: [1621] }, {
            onhave: id => have.add(id),
            onneed: id => need.add(id),
            onclose: error => error ? reject(new Error(error)) : resolve({ have, need }),
        }).start()
    }), 'end of negentropy')
    const { have, need } = await compare([...here, ...both])
    check('negentropy finds what each side lacks',
        here.every(event => have.has(event.id)) && there.every(event => need.has(event.id))
            && have.size === 90 && need.size === 110, [have.size, need.size])
    await Promise.all(here.filter(event => have.has(event.id)).map(event => relay.publish(event)))
    const fetched = await query(relay, { ids: [...need] })
    check('the client gets what it lacked', fetched.length === 110, fetched.length)
    const second = await compare([...here, ...both, ...fetched])
    check('a second run finds nothing', second.have.size + second.need.size === 0, [second.have.size, second.need.size])
}

try {
    const information = await nip11.fetchRelayInformation(url)
    check('the relay tells what it supports', [1, 11, 42, 45, 77].every(nip => information.supported_nips.includes(nip)),
        information.supported_nips)
    const relay = await Relay.connect(url)
    const other = await Relay.connect(url)
    await publishAndQuery(relay)
    await live(relay, other)
    await replaceDeleteExpire(relay)
    await authenticate(other)
    await synchronize(other)
    relay.close()
    other.close()
} catch (failure) {
    check('the session ends by itself', false, String(failure?.stack ?? failure))
}
process.exit(failures ? 1 : 0)
