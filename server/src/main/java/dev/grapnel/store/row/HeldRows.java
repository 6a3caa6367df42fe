package dev.grapnel.store.row;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.List;

/// How the rows of purgatory's stores are written. Parts with the same meaning have the same number in all of
/// them.
final class HeldRows {
    private static final Field EVENT = new Field(1, "event");
    private static final Field ID = new Field(1, "event id");
    private static final Field HELD_SINCE = new Field(2, "arrival");
    private static final Field EXPIRES_AT = new Field(3, "deadline");
    private static final Field SOURCE = new Field(4, "source");
    private static final Field PHASE = new Field(5, "phase");
    private static final Field PUSHED_TO = new Field(6, "upload");
    private static final Field COMMIT = new Field(7, "commit");
    private static final Field RELAY = new Field(8, "relay");

    private static final Field OWNER = new Field(1, "owner");
    private static final Field IDENTIFIER = new Field(2, "identifier");
    private static final Field ENDPOINT = new Field(3, "endpoint");
    private static final Field AREA = new Field(4, "staging area");
    private static final Field RECEIVING = new Field(5, "receiving flag");
    private static final Field PUSHER = new Field(6, "pusher");

    private HeldRows() {}

    static void write(HeldAnnouncement row, FieldWriter out) {
        writeHeld(row, out);
        out.put(PHASE, row.phase());
    }

    static HeldAnnouncement readAnnouncement(Fields in) {
        return new HeldAnnouncement(
                in.require(EVENT, Value::event),
                in.require(HELD_SINCE, Value::time),
                in.require(EXPIRES_AT, Value::time),
                readSource(in),
                in.find(PHASE, value -> value.oneOf(List.of(HeldAnnouncement.Phase.values())))
                        .orElse(HeldAnnouncement.Phase.ACTIVE));
    }

    static void write(HeldState row, FieldWriter out) {
        writeHeld(row, out);
    }

    static HeldState readState(Fields in) {
        return new HeldState(
                in.require(EVENT, Value::event),
                in.require(HELD_SINCE, Value::time),
                in.require(EXPIRES_AT, Value::time),
                readSource(in),
                in.find(RELAY, Value::text));
    }

    static void write(HeldProposal row, FieldWriter out) {
        writeHeld(row, out);
        write(row.pushedTo(), out);
    }

    static HeldProposal readProposal(Fields in) {
        return new HeldProposal(
                in.require(EVENT, Value::event),
                in.require(HELD_SINCE, Value::time),
                in.require(EXPIRES_AT, Value::time),
                readSource(in),
                in.all(PUSHED_TO, HeldRows::readUpload),
                in.find(RELAY, Value::text));
    }

    static void write(Placeholder row, FieldWriter out) {
        out.put(ID, row.id()).put(HELD_SINCE, row.heldSince()).put(EXPIRES_AT, row.expiresAt());
        write(row.pushedTo(), out);
        out.put(COMMIT, row.commit());
    }

    static Placeholder readPlaceholder(Fields in) {
        return new Placeholder(
                in.require(ID, Value::id),
                in.require(COMMIT, Value::oid),
                in.require(HELD_SINCE, Value::time),
                in.require(EXPIRES_AT, Value::time),
                in.all(PUSHED_TO, HeldRows::readUpload));
    }

    private static void writeHeld(Held row, FieldWriter out) {
        out.put(EVENT, row.event())
                .put(HELD_SINCE, row.heldSince())
                .put(EXPIRES_AT, row.expiresAt())
                .put(SOURCE, row.source());
        row.relay().ifPresent(url -> out.put(RELAY, url));
    }

    private static Source readSource(Fields in) {
        return in.find(SOURCE, value -> value.oneOf(List.of(Source.values()))).orElse(Source.DIRECT);
    }

    private static void write(List<Upload> uploads, FieldWriter out) {
        for (var upload : uploads) {
            out.putGroup(
                    PUSHED_TO,
                    group -> group.put(OWNER, upload.repository().owner())
                            .put(IDENTIFIER, upload.repository().identifier().text())
                            .put(ENDPOINT, upload.endpoint())
                            .put(AREA, upload.area().text())
                            .putFlag(RECEIVING, upload.receiving())
                            .put(PUSHER, upload.pusher()));
        }
    }

    private static Upload readUpload(Value value) {
        var in = value.group();
        return new Upload(
                new RepositoryAddress(in.require(OWNER, Value::key), in.require(IDENTIFIER, Value::identifier)),
                in.find(ENDPOINT, code -> code.oneOf(List.of(Upload.Endpoint.values())))
                        .orElse(Upload.Endpoint.REPOSITORY),
                in.require(AREA, Value::area),
                in.flag(RECEIVING),
                in.find(PUSHER, Value::text).orElse(""));
    }
}
