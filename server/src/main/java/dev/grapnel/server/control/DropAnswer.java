package dev.grapnel.server.control;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Drops a held event because the operator says so.
public final class DropAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "purgatory drop";

    private static final Logger LOG = LoggerFactory.getLogger(DropAnswer.class);

    private final HeldSearch search;
    private final Function<EventId, Optional<Held>> drop;
    private final InstantSource clock;

    /// @param drop drops an event durably and answers what was dropped; nothing if it is not held
    public DropAnswer(EventStore store, Function<EventId, Optional<Held>> drop, InstantSource clock) {
        this.search = new HeldSearch(store);
        this.drop = drop;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var id = requireHeld(search.require(request, output));
        var dropped = drop.apply(id)
                .orElseThrow(
                        () -> new ControlRefusal("the event " + id + " is not held any more: it was let go just now"));
        LOG.info("held event dropped by the operator event={}", id);
        var entry = HeldEntry.of(dropped, Duration.ZERO);
        output.line(entry.write(new JsonWriter(512).raw("{"), clock.instant()).raw("}"));
    }

    private static EventId requireHeld(List<Row> rows) throws ControlRefusal {
        for (var row : rows) {
            if (row instanceof Held held) {
                return held.event().id();
            }
        }
        var entry = HeldEntry.of(rows.getFirst(), Duration.ZERO);
        throw new ControlRefusal(
                entry.kind() == HeldKind.PLACEHOLDER
                        ? "no event is held under " + entry.id()
                                + ", only a commit that was pushed for it, which leaves" + " at "
                                + entry.deadline().orElseThrow()
                        : "no event is held under " + entry.id() + ": it has left already");
    }
}
