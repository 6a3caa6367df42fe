package dev.grapnel.server.control;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.tool.RowPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds what the operator means by the first digits of an id.
final class HeldSearch {
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{8,64}");
    private static final int TOLD_MAX = 5;

    private final EventStore store;

    HeldSearch(EventStore store) {
        this.store = store;
    }

    /// All rows of the one event that is meant: held or a placeholder, and what the expired memory knows of it.
    ///
    /// @throws ControlRefusal if none is meant, or several
    List<Row> require(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var digits = request.arguments().findText("id").orElse("");
        if (!DIGITS.matcher(digits).matches()) {
            throw new ControlRefusal("an event is named by its id, or its first digits, 8 at least");
        }
        var whole = EventId.parse(digits).find();
        var found = whole.isPresent() ? find(whole.get()) : search(digits, output);
        if (found.isEmpty()) {
            throw new ControlRefusal("nothing is held under " + digits);
        }
        return found;
    }

    private List<Row> find(EventId id) {
        return store.read(view -> {
            var rows = new ArrayList<Row>();
            view.findHeld(id).ifPresent(rows::add);
            view.findRow(HeldKind.PLACEHOLDER.table(), RowKeys.event(id)).ifPresent(rows::add);
            view.findRow(HeldKind.EXPIRED.table(), RowKeys.event(id)).ifPresent(rows::add);
            return rows;
        });
    }

    private List<Row> search(String digits, ControlOutput output) throws ControlRefusal, IOException {
        var found = new TreeSet<EventId>();
        for (var kind : HeldKind.values()) {
            RowPages.<IOException>forEach(store, kind.table(), row -> {
                output.requireWanted();
                idOf(row)
                        .filter(id -> id.toHex().startsWith(digits))
                        .filter(_ -> found.size() <= TOLD_MAX)
                        .ifPresent(found::add);
            });
        }
        if (found.size() > 1) {
            throw new ControlRefusal("several ids begin with " + digits + ": "
                    + found.stream().limit(TOLD_MAX).map(EventId::toHex).collect(Collectors.joining(", "))
                    + (found.size() > TOLD_MAX ? " and others" : "") + "; name more digits");
        }
        return found.isEmpty() ? List.of() : find(found.first());
    }

    private static Optional<EventId> idOf(Row row) {
        if (row instanceof Held held) {
            return Optional.of(held.event().id());
        }
        if (row instanceof Placeholder placeholder) {
            return Optional.of(placeholder.id());
        }
        return row instanceof ExpiredEvent expired ? Optional.of(expired.id()) : Optional.empty();
    }
}
