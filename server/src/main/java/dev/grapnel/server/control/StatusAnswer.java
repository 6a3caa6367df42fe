package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Readiness;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Tells how the server is.
public final class StatusAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "status";

    private final Facts facts;
    private final EventStore store;
    private final Supplier<PurgatoryCounts> purgatory;

    /// What the parts of the service know.
    ///
    /// @param domain under which others reach it
    /// @param port it listens on
    /// @param uptime since it was started
    /// @param repositories hosted
    /// @param connections open WebSocket connections
    /// @param diskFree bytes where the data is; nothing if it is in memory, or nobody knows
    public record Facts(
            Build build,
            String domain,
            int port,
            Supplier<Duration> uptime,
            LongSupplier repositories,
            LongSupplier connections,
            Supplier<OptionalLong> diskFree,
            Readiness readiness) {}

    public StatusAnswer(Facts facts, EventStore store, Supplier<PurgatoryCounts> purgatory) {
        this.facts = facts;
        this.store = store;
        this.purgatory = purgatory;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws IOException {
        var out = new JsonWriter(1_024).raw("{");
        out.raw("\"version\":").string(facts.build().text());
        number(out, "uptimeSeconds", facts.uptime().get().toSeconds());
        out.raw(",\"domain\":").string(facts.domain());
        number(out, "port", facts.port());
        number(out, "commitNumber", store.commitNumber());
        number(out, "events", store.read(view -> view.count(Table.EVENTS)));
        number(out, "repositories", facts.repositories().getAsLong());
        write(purgatory.get(), out);
        facts.diskFree().get().ifPresent(bytes -> number(out, "diskFreeBytes", bytes));
        number(out, "connections", facts.connections().getAsLong());
        out.raw(",\"health\":[");
        var before = "";
        for (var reason : facts.readiness().reasons()) {
            out.raw(before).string(reason.words());
            before = ",";
        }
        output.line(out.raw("]}"));
    }

    /// Stores have the names their metric gives them (purgatory 10.1).
    private static void write(PurgatoryCounts counts, JsonWriter out) {
        out.raw(",\"held\":{\"announcement\":").number(counts.announcements());
        number(out, "announcement_soft", counts.softExpired());
        number(out, "reference", counts.references());
        number(out, "state", counts.states());
        number(out, "pr", counts.proposals());
        number(out, "placeholder", counts.placeholders());
        out.raw("}");
        number(out, "expired", counts.expired());
        number(out, "dormant", counts.dormant());
        number(out, "gates", counts.gates());
        number(out, "repairs", counts.repairs());
        number(out, "trash", counts.trash());
    }

    private static void number(JsonWriter out, String name, long value) {
        out.raw(",").string(name).raw(":").number(value);
    }
}
