package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.tool.RowPages;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Lists what waits, whatever leaves first in front. However much there is, only as much as is shown is kept.
public final class ListAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "purgatory list";

    /// Entries without a word about it.
    public static final int LIMIT_DEFAULT = 100;

    /// Entries at most.
    public static final int LIMIT_MAX = 10_000;

    private final EventStore store;
    private final Duration memory;
    private final InstantSource clock;

    /// @param memory how long expired events are remembered
    public ListAnswer(EventStore store, Duration memory, InstantSource clock) {
        this.store = store;
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var wish = Wish.of(request);
        var now = clock.instant();
        var shown = new PriorityQueue<>(HeldEntry.ORDER.reversed());
        long matching = 0;
        for (var kind : wish.kinds()) {
            matching += gather(kind, wish, shown, output);
        }
        for (var entry : shown.stream().sorted(HeldEntry.ORDER).toList()) {
            output.line(entry.write(new JsonWriter(512).raw("{"), now).raw("}"));
        }
        output.line(new JsonWriter(64).raw("{\"matching\":").number(matching).raw("}"));
    }

    private long gather(HeldKind kind, Wish wish, PriorityQueue<HeldEntry> shown, ControlOutput output)
            throws IOException {
        var matching = new long[1];
        RowPages.<IOException>forEach(store, kind.table(), row -> {
            output.requireWanted();
            var entry = HeldEntry.of(row, memory);
            if (wish.matches(entry)) {
                matching[0]++;
                shown.add(entry.brief());
                if (shown.size() > wish.limit()) {
                    shown.remove();
                }
            }
        });
        return matching[0];
    }

    /// What is wanted.
    private record Wish(List<HeldKind> kinds, Optional<String> identifier, Optional<PublicKey> author, int limit) {
        static Wish of(ControlRequest request) throws ControlRefusal {
            var arguments = request.arguments();
            var word = arguments.findText("kind");
            var kind = word.flatMap(HeldKind::find);
            if (word.isPresent() && kind.isEmpty()) {
                throw new ControlRefusal("this server knows no kind '" + word.get() + "'");
            }
            var digits = arguments.findText("author");
            var author = digits.flatMap(text -> PublicKey.parse(text).find());
            if (digits.isPresent() && author.isEmpty()) {
                throw new ControlRefusal("an author is 64 hex digits");
            }
            long limit = arguments.findNumber("limit").orElse(LIMIT_DEFAULT);
            if (limit < 1 || limit > LIMIT_MAX) {
                throw new ControlRefusal("the limit is a number from 1 to " + LIMIT_MAX);
            }
            return new Wish(
                    kind.map(List::of).orElse(HeldKind.WAITING),
                    arguments.findText("identifier"),
                    author,
                    Math.toIntExact(limit));
        }

        boolean matches(HeldEntry entry) {
            return (author.isEmpty() || author.equals(entry.author()))
                    && (identifier.isEmpty()
                            || entry.identifiers().stream()
                                    .anyMatch(name -> name.text().equals(identifier.get())));
        }
    }
}
