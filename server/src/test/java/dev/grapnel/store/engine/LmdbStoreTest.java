package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.Viewer;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract, kept on disk.
@NullUnmarked
final class LmdbStoreTest
        implements SaveContract,
                DeletionContract,
                VanishContract,
                RetentionContract,
                QueryContract,
                HeldContract,
                TailContract,
                WriterContract {
    private StoreFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new StoreFixture(() -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS));
    }

    @Override
    public StoreFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.assertSound();
        fixture.close();
        assertEquals(List.of(), fixture.problems);
    }

    /// A snapshot that ends while an answer is being read makes nobody lose an event.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answersAreWholeWhenTheirSnapshotEnds(boolean isByIds, @TempDir Path other) {
        var config = LmdbConfig.DEFAULTS.withSnapshots(Duration.ofHours(1), 2);
        try (var small = new StoreFixture(() -> LmdbEngine.open(other, config))) {
            var notes = IntStream.range(0, 20)
                    .mapToObj(i -> note(0, NOW - i / 2, "number " + i))
                    .toList();
            small.serve(notes.toArray(Event[]::new));
            var filter = isByIds
                    ? Filter.builder().ids(notes.stream().map(Event::id).toList())
                    : Filter.builder().kinds(1).authors(List.of(author(0)));
            var found = new HashSet<EventId>();
            var request = new QueryRequest(List.of(filter.build()), Viewer.ALL, QueryLimits.DEFAULTS);
            try (var query = small.store().query(request)) {
                QueryStep step;
                int writes = 0;
                do {
                    step = query.next(1, Duration.ofMinutes(1));
                    step.events().forEach(event -> assertTrue(found.add(event.id())));
                    for (int i = 0; i < 3; i++) {
                        small.serve(note(1, NOW, "ends a snapshot " + writes++));
                    }
                } while (step instanceof QueryStep.More);
            }
            assertEquals(notes.stream().map(Event::id).collect(Collectors.toSet()), found);
        }
    }
}
