package dev.grapnel.store.row;

/// How the rows of the expired memory are written.
final class ExpiredRows {
    private static final Field ID = new Field(1, "event id");
    private static final Field KIND = new Field(2, "kind");
    private static final Field EXPIRED_AT = new Field(3, "expiry");
    private static final Field FIRST_EXPIRED_AT = new Field(4, "first expiry");
    private static final Field REVIVALS = new Field(5, "number of revivals");
    private static final Field LIFTED = new Field(6, "lifted flag");
    private static final Field DORMANT = new Field(7, "dormant record");

    private static final Field IDENTIFIER = new Field(1, "identifier");
    private static final Field AUTHOR = new Field(2, "author");
    private static final Field CREATED_AT = new Field(3, "date");
    private static final Field MISSING = new Field(4, "missing object");
    private static final Field CLONE_URL = new Field(5, "clone URL");
    private static final Field RELAY = new Field(6, "relay");

    private ExpiredRows() {}

    static void write(ExpiredEvent row, FieldWriter out) {
        out.put(ID, row.id())
                .put(KIND, row.kind())
                .put(EXPIRED_AT, row.expiredAt())
                .put(FIRST_EXPIRED_AT, row.firstExpiredAt())
                .put(REVIVALS, row.revivals())
                .putFlag(LIFTED, row.lifted());
        row.dormant().ifPresent(dormant -> out.putGroup(DORMANT, group -> write(dormant, group)));
    }

    static ExpiredEvent read(Fields in) {
        var expiredAt = in.require(EXPIRED_AT, Value::time);
        return new ExpiredEvent(
                in.require(ID, Value::id),
                in.require(KIND, Value::count),
                in.find(FIRST_EXPIRED_AT, Value::time).orElse(expiredAt),
                expiredAt,
                in.find(REVIVALS, Value::count).orElse(0),
                in.flag(LIFTED),
                in.find(DORMANT, ExpiredRows::readDormant));
    }

    private static void write(Dormant dormant, FieldWriter out) {
        dormant.identifiers().forEach(identifier -> out.put(IDENTIFIER, identifier.text()));
        out.put(AUTHOR, dormant.author()).put(CREATED_AT, dormant.createdAt());
        dormant.missing().forEach(oid -> out.put(MISSING, oid));
        dormant.cloneUrls().forEach(url -> out.put(CLONE_URL, url));
        dormant.relay().ifPresent(url -> out.put(RELAY, url));
    }

    private static Dormant readDormant(Value value) {
        var in = value.group();
        return new Dormant(
                in.all(IDENTIFIER, Value::identifier),
                in.require(AUTHOR, Value::key),
                in.require(CREATED_AT, Value::number),
                in.all(MISSING, Value::oid),
                in.all(CLONE_URL, Value::text),
                in.find(RELAY, Value::text));
    }
}
