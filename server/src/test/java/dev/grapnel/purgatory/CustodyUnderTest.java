package dev.grapnel.purgatory;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.rule.AcceptanceRules;
import dev.grapnel.purgatory.rule.GraspPolicy;
import dev.grapnel.purgatory.rule.HeldLimits;
import dev.grapnel.purgatory.rule.Lists;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ServedFeed;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.crash.FailingEngine;
import dev.grapnel.store.engine.ManualTime;
import dev.grapnel.store.engine.StoreObserver;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

/// Purgatory with a store that fails when told to, and repositories on a real disk.
final class CustodyUnderTest implements AutoCloseable {
    private static final long NOW = 1_700_000_000;
    private static final String DOMAIN = "git.example.com";

    final ManualTime time = new ManualTime(NOW);
    final FailingEngine engine = new FailingEngine(new MemoryEngine(new Random(1), MemoryEngine.EVENTS_MAX));
    final AtomicBoolean isFetched = new AtomicBoolean();
    final Custody custody;
    final EventStore store;
    final Repositories repositories;
    final Purgatory purgatory;
    private final Admission admission;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    CustodyUnderTest(Path directory) throws IOException {
        this(directory, Settlement.NONE);
    }

    CustodyUnderTest(Path directory, Settlement settlement) throws IOException {
        var timeline = new Timeline(time, () -> (time.instant().toEpochMilli() - NOW * 1000) * 1_000_000);
        custody =
                new Custody(PurgatoryConfig.DEFAULTS, MaintainerModel.CONFIRMED, _ -> true, timeline, _ -> {}, _ -> {});
        store = new TableStore(
                engine,
                StoreRules.DEFAULTS,
                WriterConfig.DEFAULTS,
                time,
                new Silent(),
                ServedFeed.NONE,
                custody.follower());
        purgatory = custody.load(store);
        repositories = Repositories.open(directory, RepositoriesConfig.defaults(), time);
        var keeper = custody.start(
                store,
                repositories,
                FreeSpace.of(directory, 0),
                (_, _) -> isFetched.get(),
                new NoCounts(),
                (_, _) -> {},
                () -> {},
                timer);
        var rules = new AcceptanceRules(
                ServiceAddress.parse(DOMAIN, "/").require(),
                StoreSamples.author(999),
                Lists.NONE,
                PurgatoryConfig.DEFAULTS.expiry(),
                HeldLimits.DEFAULTS,
                Set.of());
        admission = new Admission(
                store,
                EventRules.DEFAULTS,
                new GraspPolicy(rules, custody.pools()),
                custody.happenings(),
                keeper,
                settlement,
                _ -> Optional.empty(),
                time,
                System::nanoTime);
    }

    /// What became of an event that a client sent.
    Admitted admit(Event event) {
        return admit(event, new Origin.Direct(Set.of(), true)).join();
    }

    /// The same for one from anywhere, as soon as it is known.
    CompletableFuture<Admitted> admit(Event event, Origin origin) {
        var outcome = new CompletableFuture<Admitted>();
        admission.admit(new Lane(), event, origin, (admitted, problem) -> {
            if (problem != null) {
                outcome.completeExceptionally(problem);
            } else {
                outcome.complete(Objects.requireNonNull(admitted));
            }
        });
        return outcome;
    }

    Event announcement(int author, String identifier, String name) {
        return StoreSamples.event(
                author,
                Kinds.ANNOUNCEMENT,
                time.instant().getEpochSecond(),
                List.of(
                        List.of("d", identifier),
                        List.of(
                                "clone",
                                "https://" + DOMAIN + "/" + new Npub(StoreSamples.author(author)) + "/" + identifier
                                        + ".git"),
                        List.of("relays", "wss://" + DOMAIN),
                        List.of("name", name)),
                "");
    }

    Event state(int author, String identifier) {
        return StoreSamples.event(
                author,
                Kinds.STATE,
                time.instant().getEpochSecond(),
                List.of(List.of("d", identifier), List.of("refs/heads/main", "1".repeat(40))),
                "");
    }

    static RepositoryAddress address(int owner, String identifier) {
        return new RepositoryAddress(StoreSamples.author(owner), new Identifier(identifier));
    }

    boolean isOnDisk(int owner, String identifier) throws IOException {
        return repositories.findPlace(address(owner, identifier)).isPresent();
    }

    boolean isHeld(Event event) {
        return purgatory.find(event.id()).isPresent();
    }

    Phase phase(Event announcement) {
        return ((HeldAnnouncement) purgatory.find(announcement.id()).orElseThrow()).phase();
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        custody.close();
        repositories.close();
        store.close();
    }

    private static final class NoCounts implements ListCounts {
        @Override
        public void removal(ListCounts.Phase phase) {}

        @Override
        public void restoration(Standing.Cause cause, boolean isDone) {}
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
