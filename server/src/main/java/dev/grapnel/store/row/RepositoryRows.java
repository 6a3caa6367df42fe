package dev.grapnel.store.row;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.List;

/// How standings of repositories and trashed events are written.
final class RepositoryRows {
    private static final Field OWNER = new Field(1, "owner");
    private static final Field IDENTIFIER = new Field(2, "identifier");
    private static final Field PHASE = new Field(3, "phase");
    private static final Field SINCE = new Field(4, "beginning");
    private static final Field CAUSE = new Field(5, "cause");
    private static final Field EVENT = new Field(6, "event");
    private static final Field LEFT_DATE = new Field(7, "date of what left");
    private static final Field LEFT_ID = new Field(8, "id of what left");

    private RepositoryRows() {}

    static void write(Standing row, FieldWriter out) {
        out.put(OWNER, row.repository().owner())
                .put(IDENTIFIER, row.repository().identifier().text())
                .put(PHASE, row.phase())
                .put(SINCE, row.since())
                .put(CAUSE, row.cause());
        row.announcement().ifPresent(event -> out.put(EVENT, event));
        row.left().ifPresent(left -> out.put(LEFT_DATE, left.createdAt()).put(LEFT_ID, left.id()));
    }

    static Standing readStanding(Fields in) {
        var announcement = in.find(EVENT, Value::event);
        var left = in.find(LEFT_ID, Value::id)
                .flatMap(id -> in.find(LEFT_DATE, Value::number).map(date -> new Version(date, id)));
        return new Standing(
                new RepositoryAddress(in.require(OWNER, Value::key), in.require(IDENTIFIER, Value::identifier)),
                in.require(PHASE, value -> value.oneOf(List.of(Standing.Phase.values()))),
                in.require(SINCE, Value::time),
                in.find(CAUSE, value -> value.oneOf(List.of(Standing.Cause.values())))
                        .orElse(Standing.Cause.NONE),
                left.or(() -> announcement.map(Event::version)),
                announcement);
    }

    static void write(TrashedEvent row, FieldWriter out) {
        out.put(IDENTIFIER, row.identifier().text()).put(SINCE, row.since()).put(EVENT, row.event());
    }

    static TrashedEvent readTrashed(Fields in) {
        return new TrashedEvent(
                in.require(IDENTIFIER, Value::identifier),
                in.require(EVENT, Value::event),
                in.require(SINCE, Value::time));
    }
}
