package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.RandomEvents.namesOf;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.author;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Everything at once on one store on disk, and in the end what a model says that got the same steps in the
/// order in which they were carried out. Every writer speaks for authors of its own, so each author has a model
/// of its own, which stays small.
final class Storm implements AutoCloseable {
    /// Whose addresses several threads replace.
    static final int REPLACED = 0;

    /// Events of one author, so that models stay small.
    private static final int EACH = 40;

    private final Path directory;
    private final Crew crew;
    private final ConcurrentLinkedQueue<LmdbEngine> engines = new ConcurrentLinkedQueue<>();
    private final StoreFixture fixture;
    private final StormReaders readers;
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicInteger authors = new AtomicInteger(100);
    private final AtomicInteger versions = new AtomicInteger();
    private final ConcurrentLinkedQueue<Done> done = new ConcurrentLinkedQueue<>();

    /// A step that was carried out.
    ///
    /// @param place which one it was
    private record Done(long place, Event event, ModelStep step, String answer) {}

    Storm(Path directory, LmdbConfig config, Duration time) {
        this.directory = directory;
        this.fixture = new StoreFixture(() -> {
            var engine = LmdbEngine.open(directory, config);
            engines.add(engine);
            return engine;
        });
        this.crew = new Crew(time);
        this.readers = new StormReaders(fixture, crew);
    }

    void run() throws InterruptedException {
        for (var identifier : StormReaders.IDENTIFIERS) {
            replace(identifier).join();
        }
        for (int i = 0; i < 2; i++) {
            int seed = i;
            var random = new Random(seed);
            crew.repeat("replacer " + i, () -> replaceMany(random));
            crew.repeat("racer " + i, () -> race(random));
        }
        crew.repeat("holder", this::holdAndRelease);
        crew.repeat("address deleter", this::deleteAddresses);
        crew.repeat("vanisher", this::vanish);
        crew.repeat("copier", this::copy);
        crew.repeat("forgetful reader", this::forgetSnapshots);
        readers.start();
        crew.join();
        readers.followToTheEnd();
        compareWithModels();
        fixture.assertSound();
        assertEquals(List.of(), fixture.problems);
        assertEquals(List.of(), engine().checkPages());
    }

    private LmdbEngine engine() {
        return engines.element();
    }

    private CompletableFuture<String> give(Event event, ModelStep step) {
        var place = new AtomicLong();
        return fixture.store()
                .write(Urgency.WAITING, 0, transaction -> {
                    place.set(sequence.incrementAndGet()); // may run again: the last time counts
                    return step.on(transaction);
                })
                .thenApply(answer -> {
                    done.add(new Done(place.get(), event, step, answer));
                    return answer;
                });
    }

    private CompletableFuture<String> save(Event event) {
        return give(event, new ModelStep.Save(event));
    }

    /// Several threads replace the same addresses; some come too late.
    private void replaceMany(Random random) {
        var given = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            given.add(replace(StormReaders.IDENTIFIERS.get(random.nextInt(StormReaders.IDENTIFIERS.size()))));
        }
        given.forEach(CompletableFuture::join);
    }

    private CompletableFuture<String> replace(String identifier) {
        int version = versions.incrementAndGet();
        return save(tagged(REPLACED, Kinds.STATE, NOW + version / 3, List.of(List.of("d", identifier))));
    }

    /// Publishes and deletes the same events from two threads (relay test 193).
    private void race(Random random) throws InterruptedException {
        int author = authors.incrementAndGet();
        save(note(author, NOW, "known")).join();
        for (int i = 0; i < EACH && crew.goesOn(); i++) {
            var event = note(author, NOW + i, "raced");
            var request = deletionOf(author, NOW + random.nextInt(EACH), event);
            var other = new ArrayList<CompletableFuture<String>>();
            var thread = Thread.ofPlatform().start(() -> other.add(save(event)));
            save(request).join();
            thread.join();
            other.getFirst().join();
            assertFalse(fixture.isFound(event.id()), "published and deleted, and still there");
            assertTrue(fixture.isFound(request.id()), "the request is not there");
        }
    }

    private void holdAndRelease() {
        int author = authors.incrementAndGet();
        for (int i = 0; i < EACH && crew.goesOn(); i++) {
            var event = tagged(author, Kinds.STATE, NOW, List.of(List.of("d", "held " + i)));
            give(event, new ModelStep.Hold(event)).join();
            readers.watch(event);
            if (i % 4 != 0) {
                give(event, new ModelStep.Release(event)).join();
            }
        }
    }

    private void deleteAddresses() {
        int author = authors.incrementAndGet();
        for (int i = 0; i < EACH && crew.goesOn(); i++) {
            var version = tagged(author, 30_000, NOW + i, List.of(List.of("d", "x"), List.of("t", "deleted")));
            var request =
                    StoreFixture.deletion(author, NOW + i, List.of(DeletionContract.address(30_000, author, "x")));
            var given = List.of(save(version), save(request), save(version));
            given.forEach(CompletableFuture::join);
            assertFalse(fixture.isFound(version.id()), "its address was deleted, and it is still there");
        }
    }

    /// What vanishes makes the file be compacted a day later.
    private void vanish() {
        int author = authors.incrementAndGet();
        var given = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < EACH; i++) {
            given.add(save(note(author, NOW + i, "x".repeat(1_000))));
        }
        given.add(save(StoreFixture.vanish(author, NOW + EACH, "ALL_RELAYS")));
        given.forEach(CompletableFuture::join);
        var left =
                fixture.query(Filter.builder().authors(List.of(author(author))).build());
        assertEquals(1, left.size(), "only the request itself stays");
        fixture.time.advance(Duration.ofHours(5));
        fixture.store().sweep().join();
    }

    private void copy() throws IOException, InterruptedException {
        crew.rest(Duration.ofMillis(100));
        var place = Files.createDirectory(directory.resolve("copy" + sequence.get()));
        engine().copyTo(place.resolve("data.mdb"));
        try (var copied = LmdbEngine.open(place, LmdbConfig.DEFAULTS.withDurability(Durability.NONE))) {
            var problems = new ArrayList<>(copied.checkPages());
            StoreCheck.run(copied, problems::add, _ -> {});
            assertEquals(List.of(), problems);
        }
        try (var files = Files.walk(place)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void forgetSnapshots() throws InterruptedException {
        engine().pin(); // never closed: the engine must take it back
        engine().endForgotten();
        crew.rest(Duration.ofMillis(1));
    }

    private void compareWithModels() {
        var models = new HashMap<PublicKey, NaiveStore>();
        done.stream().sorted(Comparator.comparingLong(Done::place)).forEach(entry -> {
            var model =
                    models.computeIfAbsent(entry.event.author(), _ -> new NaiveStore(StoreRules.DEFAULTS, NOW * 1_000));
            assertEquals(entry.step.on(model), entry.answer, entry.step::toString);
        });
        assertEquals(namesOf(visible(models)), namesOf(fixture.all()), () -> "after " + done.size() + " steps");
    }

    private static List<Event> visible(Map<PublicKey, NaiveStore> models) {
        return models.values().stream()
                .flatMap(model -> model.visible().stream())
                .sorted(NaiveStore.ORDER)
                .toList();
    }

    @Override
    public void close() {
        fixture.close();
    }
}
