package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Readers and writers on one store on disk.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.concurrency.seconds=60` goes on for a minute.
@Timeout(600)
final class StoreConcurrencyTest {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("grapnel.concurrency.seconds", 3));
    private static final int REPLACEMENTS = 10_000;

    /// So small that it must grow many times.
    private static final LmdbConfig SMALL =
            LmdbConfig.DEFAULTS.withDurability(Durability.NONE).withMapBytes(1 << 20);

    /// Relay test 104.
    @Test
    void aReaderPollingAnAddressAlwaysSeesOneVersion(@TempDir Path directory) throws InterruptedException {
        try (var fixture = new StoreFixture(() -> LmdbEngine.open(directory, SMALL))) {
            var list = new Address(10_002, author(0), "");
            var state = new Address(30_618, author(0), "x");
            replace(fixture, list, 0).join();
            replace(fixture, state, 0).join();
            var crew = new Crew(Duration.ofMinutes(5));
            crew.add("writer", () -> {
                var waiting = new ArrayList<CompletableFuture<SaveOutcome>>();
                for (int i = 1; i <= REPLACEMENTS / 2 && crew.goesOn(); i++) {
                    waiting.add(replace(fixture, list, i));
                    waiting.add(replace(fixture, state, i));
                    if (i % 5 == 0) { // up to ten of them share a commit
                        waiting.forEach(CompletableFuture::join);
                        waiting.clear();
                    }
                }
                waiting.forEach(CompletableFuture::join);
            });
            for (int i = 0; i < 2; i++) {
                crew.repeat("reader " + i, () -> {
                    assertOneVersion(fixture, list);
                    assertOneVersion(fixture, state);
                });
            }
            crew.endWith("writer");
            assertEquals(REPLACEMENTS + 2, fixture.store().commitNumber());
            fixture.assertSound();
            assertEquals(List.of(), fixture.problems);
        }
    }

    private static CompletableFuture<SaveOutcome> replace(StoreFixture fixture, Address address, int version) {
        var tags = List.of(List.of("d", address.identifier()), List.of("t", address.kind() + "t"));
        var event = tagged(0, address.kind(), NOW + version, tags);
        return fixture.store().write(Urgency.WAITING, 0, transaction -> transaction.save(event));
    }

    private static void assertOneVersion(StoreFixture fixture, Address address) {
        var filter = Filter.builder().kinds(address.kind());
        var plans = List.of(
                filter.build(),
                filter.authors(List.of(address.author())).build(),
                filter.tag('d', List.of(address.identifier())).build(),
                Filter.builder().tag('t', List.of(address.kind() + "t")).build());
        for (var plan : plans) {
            assertEquals(1, fixture.query(plan).size(), plan::toString);
            assertEquals(1, fixture.count(plan), plan::toString);
        }
        assertTrue(fixture.read(view -> view.findCurrent(address)).isPresent());
        assertEquals(2, fixture.all().size());
    }

    @Test
    void nothingGoesWrongWhenEverythingHappensAtOnce(@TempDir Path directory) throws InterruptedException {
        var config = SMALL.withSnapshots(Duration.ofMillis(200), 100);
        try (var storm = new Storm(directory, config, TIME)) {
            storm.run();
        }
    }
}
