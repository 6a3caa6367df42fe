package dev.grapnel.server.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.Urls;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.PurgatoryConfig;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import dev.grapnel.sync.home.PoolsView;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.home.StoreFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A store with its pools, and a loop that looks at both.
final class StoreUnderTest implements AutoCloseable {
    static final long NOW = 1_700_000_000;

    final ManualTime time = new ManualTime(NOW);
    final SyncThread loop = SyncThread.start(time, System::nanoTime, SyncThread.Watcher.NONE);
    final Custody custody;
    final TableStore store;
    final StoreArchive archive;
    final PoolsView view;

    StoreUnderTest() {
        this(WriterConfig.DEFAULTS);
    }

    StoreUnderTest(WriterConfig writer) {
        var timeline = new Timeline(time, () -> (time.instant().toEpochMilli() - NOW * 1000) * 1_000_000);
        var made = new CompletableFuture<PoolsView>();
        custody = new Custody(
                PurgatoryConfig.DEFAULTS,
                MaintainerModel.CONFIRMED,
                _ -> true,
                timeline,
                happening -> made.join().note(happening),
                identifiers -> made.join().noteChange(identifiers));
        store = new TableStore(
                new MemoryEngine(new Random(1), MemoryEngine.EVENTS_MAX),
                StoreRules.DEFAULTS,
                writer,
                time,
                new Silent(),
                ServedFeed.NONE,
                custody.follower());
        var meaning = new ServedMeaning(Urls.own("git.example.com"));
        archive = new StoreArchive(store, new StoreFacts(store, custody.pools(), true), meaning, loop);
        view = new PoolsView(store, custody.pools(), meaning, loop);
        made.complete(view);
        custody.load(store);
    }

    <T> T onLoop(Supplier<T> task) {
        var answer = new CompletableFuture<T>();
        loop.post(() -> answer.complete(task.get()));
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    <T> T write(StoreWork<T> work) {
        return store.write(Urgency.WAITING, 0, work)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    void save(Event... events) {
        for (var event : events) {
            write(transaction -> transaction.save(event));
        }
    }

    /// A repository that can be read here.
    void host(Event announcement) {
        write(transaction -> {
            transaction.put(Standing.hosted(
                    new RepositoryAddress(
                            announcement.author(),
                            new Identifier(announcement.tags().findValue("d").orElseThrow())),
                    time.instant()));
            return transaction.save(announcement);
        });
    }

    void hold(Event announcement, Phase phase) {
        var row = new HeldAnnouncement(
                announcement, time.instant(), time.instant().plus(Duration.ofMinutes(30)), Source.DIRECT, phase);
        write(transaction -> {
            var outcome = transaction.hold(row);
            custody.happenings().note(new Happening.NowHeld(row));
            return outcome;
        });
    }

    static Event announcement(int author, long createdAt, String identifier, String... relays) {
        return announcement(author, createdAt, identifier, List.of(), relays);
    }

    static Event announcement(
            int author, long createdAt, String identifier, List<Integer> maintainers, String... relays) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        if (relays.length > 0) {
            var tag = new ArrayList<>(List.of("relays"));
            tag.addAll(List.of(relays));
            tags.add(tag);
        }
        if (!maintainers.isEmpty()) {
            var tag = new ArrayList<>(List.of("maintainers"));
            maintainers.forEach(number -> tag.add(StoreSamples.author(number).toHex()));
            tags.add(tag);
        }
        return StoreSamples.event(author, Kinds.ANNOUNCEMENT, createdAt, tags, "");
    }

    static Event state(int author, long createdAt, String identifier) {
        return StoreSamples.event(
                author,
                Kinds.STATE,
                createdAt,
                List.of(List.of("d", identifier), List.of("refs/heads/main", "1".repeat(40))),
                "");
    }

    static Event issue(int author, long createdAt, RepositoryAddress repository) {
        return StoreSamples.event(
                author, Kinds.ISSUE, createdAt, List.of(List.of("a", repository.toString())), "issue " + createdAt);
    }

    static RepositoryAddress address(int owner, String identifier) {
        return new RepositoryAddress(StoreSamples.author(owner), new Identifier(identifier));
    }

    @Override
    public void close() {
        archive.close();
        loop.close();
        store.close();
    }

    private static final class Silent implements StoreObserver {
        @Override
        public void damaged(String where) {}

        @Override
        public void setAside(String row, String file) {}

        @Override
        public void refusing(String reason) {}

        @Override
        public void writing() {}
    }
}
