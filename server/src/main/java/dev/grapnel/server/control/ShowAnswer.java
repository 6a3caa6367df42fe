package dev.grapnel.server.control;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Upload;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/// Shows everything about one thing in purgatory, except where its pusher was.
public final class ShowAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "purgatory show";

    private final HeldSearch search;
    private final Duration memory;
    private final InstantSource clock;

    /// @param memory how long expired events are remembered
    public ShowAnswer(EventStore store, Duration memory, InstantSource clock) {
        this.search = new HeldSearch(store);
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var now = clock.instant();
        for (var row : search.require(request, output)) {
            output.line(json(row, memory, now));
        }
    }

    /// One object.
    static JsonWriter json(Row row, Duration memory, Instant now) {
        var out = HeldEntry.of(row, memory).write(new JsonWriter(1_024).raw("{"), now);
        if (row instanceof HeldAnnouncement announcement) {
            out.raw(",\"phase\":").string(announcement.phase().name().toLowerCase(Locale.ROOT));
        }
        if (row instanceof HeldProposal proposal) {
            out.raw(",\"commit\":").string(proposal.proposal().commit());
            writeUploads(proposal.pushedTo(), out);
        }
        if (row instanceof Placeholder placeholder) {
            out.raw(",\"commit\":").string(placeholder.commit().toString());
            writeUploads(placeholder.pushedTo(), out);
        }
        if (row instanceof ExpiredEvent expired) {
            write(expired, out);
        }
        if (row instanceof Held held) {
            write(held.event(), out);
        }
        return out.raw("}");
    }

    private static void writeUploads(List<Upload> uploads, JsonWriter out) {
        writeAll(
                ",\"uploads\":",
                uploads,
                out,
                (upload, json) -> json.raw("{\"repository\":")
                        .string(new Npub(upload.repository().owner()).text() + "/"
                                + upload.repository().identifier().text())
                        .raw(",\"endpoint\":")
                        .string(upload.endpoint().name().toLowerCase(Locale.ROOT))
                        .raw(",\"area\":")
                        .string(upload.area().text())
                        .raw(",\"receiving\":")
                        .raw(Boolean.toString(upload.receiving()))
                        .raw("}"));
    }

    private static void write(ExpiredEvent row, JsonWriter out) {
        out.raw(",\"eventKind\":").number(row.kind());
        out.raw(",\"firstExpiredAt\":").string(row.firstExpiredAt().toString());
        out.raw(",\"revivals\":").number(row.revivals());
        out.raw(",\"lifted\":").raw(Boolean.toString(row.lifted()));
        row.dormant().ifPresent(dormant -> write(dormant, out));
    }

    private static void write(Dormant dormant, JsonWriter out) {
        out.raw(",\"createdAt\":").number(dormant.createdAt());
        writeAll(",\"missing\":", dormant.missing(), out, (oid, json) -> json.string(oid.toString()));
        writeAll(",\"cloneUrls\":", dormant.cloneUrls(), out, (url, json) -> json.string(url));
        dormant.relay().ifPresent(relay -> out.raw(",\"relay\":").string(relay));
    }

    private static void write(Event event, JsonWriter out) {
        out.raw(",\"event\":").raw(event.json());
    }

    private static <T> void writeAll(String name, List<T> items, JsonWriter out, BiConsumer<T, JsonWriter> write) {
        out.raw(name).raw("[");
        for (int i = 0; i < items.size(); i++) {
            write.accept(items.get(i), out.raw(i == 0 ? "" : ","));
        }
        out.raw("]");
    }
}
