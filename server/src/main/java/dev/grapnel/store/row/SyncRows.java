package dev.grapnel.store.row;

import java.util.List;

/// How the rows of sync are written: refused events and the health of remotes.
final class SyncRows {
    private static final Field ID = new Field(1, "event id");
    private static final Field KIND = new Field(2, "kind");
    private static final Field AUTHOR = new Field(3, "author");
    private static final Field CREATED_AT = new Field(4, "date");
    private static final Field IDENTIFIER = new Field(5, "identifier");
    private static final Field REASON = new Field(6, "reason");
    private static final Field RELAY = new Field(7, "relay");
    private static final Field REFUSED_AT = new Field(8, "refusal");
    private static final Field REFUSED_UNTIL = new Field(9, "end");
    private static final Field ATTEMPTS = new Field(10, "number of attempts");
    private static final Field WAITS_FOR = new Field(11, "dependency");

    private static final Field TYPE = new Field(1, "sort of remote");
    private static final Field REMOTE = new Field(2, "remote");
    private static final Field FAILURES = new Field(3, "number of failures");
    private static final Field FAILING_SINCE = new Field(4, "first failure");
    private static final Field LAST_SUCCESS = new Field(5, "last success");
    private static final Field RETRY_AT = new Field(6, "next attempt");
    private static final Field COOLDOWN_UNTIL = new Field(7, "cooldown");
    private static final Field PARKED_UNTIL = new Field(8, "parking");
    private static final Field NAUGHTY = new Field(9, "naughty entry");
    private static final Field LEARNED = new Field(10, "learned limit");

    private static final Field FAULT = new Field(1, "fault");
    private static final Field FIRST_SEEN = new Field(2, "first sight");
    private static final Field LAST_SEEN = new Field(3, "last sight");
    private static final Field COUNT = new Field(4, "number of faults");
    private static final Field NAUGHTY_UNTIL = new Field(5, "end");
    private static final Field ORIGIN = new Field(6, "origin");

    private static final Field NAME = new Field(1, "name");
    private static final Field AMOUNT = new Field(2, "amount");
    private static final Field LEARNED_UNTIL = new Field(3, "end");

    private SyncRows() {}

    static void write(RefusedEvent row, FieldWriter out) {
        out.put(ID, row.id()).put(KIND, row.kind()).put(AUTHOR, row.author()).put(CREATED_AT, row.createdAt());
        row.identifier().ifPresent(text -> out.put(IDENTIFIER, text));
        out.put(REASON, row.reason())
                .put(RELAY, row.relay())
                .put(REFUSED_AT, row.refusedAt())
                .put(REFUSED_UNTIL, row.until())
                .put(ATTEMPTS, row.attempts());
        row.waitsFor().forEach(key -> out.put(WAITS_FOR, key));
    }

    static RefusedEvent readRefused(Fields in) {
        return new RefusedEvent(
                in.require(ID, Value::id),
                in.require(KIND, Value::count),
                in.require(AUTHOR, Value::key),
                in.require(CREATED_AT, Value::number),
                in.find(IDENTIFIER, Value::text),
                in.find(REASON, value -> value.oneOf(List.of(RefusedEvent.Reason.values())))
                        .orElse(RefusedEvent.Reason.OTHER),
                in.require(RELAY, Value::text),
                in.require(REFUSED_AT, Value::time),
                in.require(REFUSED_UNTIL, Value::time),
                in.find(ATTEMPTS, Value::count).orElse(0),
                in.all(WAITS_FOR, Value::bytes));
    }

    static void write(RelayHealth row, FieldWriter out) {
        out.put(TYPE, row.remote().type()).put(REMOTE, row.remote().text()).put(FAILURES, row.failures());
        row.failingSince().ifPresent(time -> out.put(FAILING_SINCE, time));
        row.lastSuccess().ifPresent(time -> out.put(LAST_SUCCESS, time));
        row.retryAt().ifPresent(time -> out.put(RETRY_AT, time));
        row.cooldownUntil().ifPresent(time -> out.put(COOLDOWN_UNTIL, time));
        row.parkedUntil().ifPresent(time -> out.put(PARKED_UNTIL, time));
        row.naughty().ifPresent(naughty -> out.putGroup(NAUGHTY, group -> write(naughty, group)));
        row.learned().forEach(limit -> out.putGroup(LEARNED, group -> write(limit, group)));
    }

    static RelayHealth readHealth(Fields in) {
        return new RelayHealth(
                new Remote(
                        in.require(TYPE, value -> value.oneOf(List.of(Remote.Type.values()))),
                        in.require(REMOTE, Value::text)),
                in.find(FAILURES, Value::count).orElse(0),
                in.find(FAILING_SINCE, Value::time),
                in.find(LAST_SUCCESS, Value::time),
                in.find(RETRY_AT, Value::time),
                in.find(COOLDOWN_UNTIL, Value::time),
                in.find(PARKED_UNTIL, Value::time),
                in.find(NAUGHTY, SyncRows::readNaughty),
                in.all(LEARNED, SyncRows::readLearned));
    }

    private static void write(Naughty naughty, FieldWriter out) {
        out.put(FAULT, naughty.fault())
                .put(FIRST_SEEN, naughty.firstSeen())
                .put(LAST_SEEN, naughty.lastSeen())
                .put(COUNT, naughty.count())
                .put(NAUGHTY_UNTIL, naughty.until());
        naughty.origin().ifPresent(text -> out.put(ORIGIN, text));
    }

    private static Naughty readNaughty(Value value) {
        var in = value.group();
        var firstSeen = in.require(FIRST_SEEN, Value::time);
        return new Naughty(
                in.require(FAULT, code -> code.oneOf(List.of(Naughty.Fault.values()))),
                firstSeen,
                in.find(LAST_SEEN, Value::time).orElse(firstSeen),
                in.find(COUNT, Value::count).orElse(1),
                in.require(NAUGHTY_UNTIL, Value::time),
                in.find(ORIGIN, Value::text));
    }

    private static void write(LearnedLimit limit, FieldWriter out) {
        out.put(NAME, limit.name()).put(AMOUNT, limit.value()).put(LEARNED_UNTIL, limit.until());
    }

    private static LearnedLimit readLearned(Value value) {
        var in = value.group();
        return new LearnedLimit(
                in.require(NAME, Value::text),
                in.require(AMOUNT, Value::number),
                in.require(LEARNED_UNTIL, Value::time));
    }
}
