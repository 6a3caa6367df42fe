package dev.grapnel.bench.load;

import dev.grapnel.bench.Landmarks;
import dev.grapnel.bench.Survey;
import dev.grapnel.bench.store.QueryShape;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.filter.Filter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Filters of each shape of relay 7.2 with values that occur in a file of events, made beforehand.
final class Questions {
    /// The scans, which are meant to be answered with so many; relays without a limit of their own would send
    /// all.
    private static final Set<QueryShape> SCANS = Set.of(QueryShape.ONE_KIND, QueryShape.EVERYTHING);

    private static final int SCAN_LIMIT = 5000;
    private static final int COUNT_MAX = 2000;
    private static final long BYTES_MAX = 32 << 20;
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    private final Landmarks landmarks;

    Questions(EventFile events) throws IOException {
        var survey = new Survey();
        for (int i = 0; i < events.count(); i++) {
            survey.add(event(events, i));
        }
        landmarks = survey.landmarks();
    }

    /// An event of the file.
    static Event event(EventFile events, int number) throws IOException {
        if (READER.read(events.json(number)) instanceof ParsedEvent.Valid(var event)) {
            return event;
        }
        throw new IOException("line " + (number + 1) + " is no event");
    }

    /// Different ones, as many as are worth their memory.
    List<byte[]> of(QueryShape shape) {
        return of(shape, COUNT_MAX);
    }

    List<byte[]> of(QueryShape shape, int count) {
        return filters(shape, count).stream()
                .map(filter -> filter.json().toArray())
                .toList();
    }

    /// The same before they are written as text.
    List<Filter> filters(QueryShape shape) {
        return filters(shape, COUNT_MAX);
    }

    private List<Filter> filters(QueryShape shape, int count) {
        var random = new SplittableRandom(shape.name().hashCode());
        var filters = new ArrayList<Filter>();
        long bytes = 0;
        while (filters.size() < count && bytes < BYTES_MAX) {
            var filter = limited(shape, shape.filter(landmarks, random));
            filters.add(filter);
            bytes += filter.json().length();
        }
        return filters;
    }

    private static Filter limited(QueryShape shape, Filter filter) {
        return SCANS.contains(shape) ? filter.toBuilder().limit(SCAN_LIMIT).build() : filter;
    }

    /// As people write it: `one-id`.
    static Optional<QueryShape> find(String name) {
        return Stream.of(QueryShape.values())
                .filter(shape -> nameOf(shape).equals(name))
                .findFirst();
    }

    static List<String> names() {
        return Stream.of(QueryShape.values()).map(Questions::nameOf).toList();
    }

    private static String nameOf(QueryShape shape) {
        return shape.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
