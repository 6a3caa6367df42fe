package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import dev.grapnel.config.SyncSettings;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.server.sync.AdmissionGate;
import dev.grapnel.server.sync.SyncWorld;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.SyncCore;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncParts;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.health.Backoff;
import dev.grapnel.sync.health.HealthConfig;
import dev.grapnel.sync.index.FeedTimes;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.IndexTables;
import dev.grapnel.sync.index.MappedTables;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.received.IntakeConfig;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.world.Gate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The part of the service that follows other relays (sync): its world, its gate and its core.
final class Syncing implements SyncView, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Syncing.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);
    private static final Duration LOOK_MAX = Duration.ofSeconds(5);

    /// A request may have to wait for its turn, and then for the first answer.
    private static final Duration REVIVAL_MAX = Duration.ofSeconds(150);

    private final SyncWorld world;
    private final Outside outside;
    private final AdmissionGate gate;
    private final SyncCore core;

    /// Who is told what happens.
    ///
    /// @param gate wraps the gate, for those who time it and for the log
    record Listeners(Consumer<SyncNote> notes, IntakeCounts counts, IntakeNotes intake, UnaryOperator<Gate> gate) {}

    /// @param fingerprint of everything that decides which events are accepted (R7.19)
    Syncing(
            Configuration settings,
            String fingerprint,
            SyncWorld world,
            Outside outside,
            Admission admission,
            EventRules rules,
            NaughtyList naughty,
            Listeners listeners,
            RandomGenerator chance)
            throws IOException {
        this.world = world;
        this.outside = outside;
        this.gate = new AdmissionGate(admission, rules, world.loop());
        int relaysPerRepo = number(settings, SyncSettings.SYNC_MAX_RELAYS_PER_REPO);
        int descendants = number(settings, SyncSettings.SYNC_RECURSIVE_DESCENDANT_LIMIT);
        this.core = new SyncCore(
                config(settings, fingerprint),
                new SyncParts(
                        world.loop(),
                        world.transport(),
                        world.documents(),
                        world.archive(),
                        listeners.gate().apply(gate),
                        world.purgatory(),
                        world.files(),
                        world.signer(),
                        naughty,
                        IndexLimits.DEFAULTS.with(relaysPerRepo, descendants),
                        tables(settings),
                        listeners.counts(),
                        listeners.intake(),
                        world.own()::covers,
                        chance),
                listeners.notes());
    }

    /// What is counted in millions lies in files that the next start finds.
    private static IndexTables tables(Configuration settings) throws IOException {
        return switch (settings.require(ServiceSettings.DATABASE_BACKEND)) {
            case MEMORY -> new HeapTables();
            case LMDB ->
                new MappedTables(SyncWorld.makeDirectory(settings.require(ServiceSettings.RELAY_DATA_PATH)
                        .resolve("sync")
                        .resolve("index")));
        };
    }

    private static SyncConfig config(Configuration settings, String fingerprint) {
        return new SyncConfig(
                settings.find(SyncSettings.SYNC_BOOTSTRAP_RELAY_URL).map(Syncing::relay),
                settings.require(SyncSettings.SYNC_PRIVATE_PEERS).stream()
                        .map(Syncing::relay)
                        .toList(),
                false,
                number(settings, SyncSettings.SYNC_REQUEST_RATE),
                settings.require(SyncSettings.SYNC_CONNECT_TIMEOUT_SECS),
                settings.require(SyncSettings.SYNC_DISCONNECT_CHECK_INTERVAL_SECS),
                new FeedTimes(
                        settings.require(SyncSettings.SYNC_BATCH_WINDOW_MS),
                        settings.require(PurgatorySettings.PURGATORY_ANNOUNCEMENT_SYNC_MS),
                        FeedTimes.DEFAULTS.audit()),
                new HealthConfig(
                        new Backoff(
                                settings.require(SyncSettings.SYNC_BASE_BACKOFF_SECS),
                                settings.require(SyncSettings.SYNC_MAX_BACKOFF_SECS)),
                        settings.require(PurgatorySettings.NAUGHTY_LIST_EXPIRATION_HOURS),
                        number(settings, SyncSettings.SYNC_MAX_RELAYS),
                        number(settings, SyncSettings.SYNC_MAX_LINKS)),
                IntakeConfig.of(
                        settings.require(SyncSettings.REJECTED_HOT_CACHE_DURATION_SECS),
                        settings.require(SyncSettings.REJECTED_COLD_INDEX_EXPIRY_SECS),
                        fingerprint),
                new LinkConfig(
                        number(settings, SyncSettings.SYNC_CHUNK_SIZE),
                        number(settings, SyncSettings.SYNC_CONSOLIDATION_THRESHOLD),
                        number(settings, SyncSettings.SYNC_MAX_LIVE_FILTERS),
                        number(settings, SyncSettings.SYNC_PAGE_LIMIT),
                        !settings.require(SyncSettings.SYNC_DISABLE_NEGENTROPY),
                        settings.require(SyncSettings.SYNC_LAYER1_STATES),
                        true,
                        settings.require(SyncSettings.SYNC_BATCH_WINDOW_MS),
                        settings.require(SyncSettings.SYNC_DAILY_MIN_HOURS),
                        settings.require(SyncSettings.SYNC_DAILY_MAX_HOURS)));
    }

    /// What the operator wrote has been checked when it was read.
    private static RemoteUrl relay(String text) {
        return RelayPlaces.parseConfigured(text).require();
    }

    private static int number(Configuration settings, Setting<Long> setting) {
        return (int) Math.min(settings.require(setting), Integer.MAX_VALUE);
    }

    void start() {
        world.loop().post(core::start);
    }

    /// By the store's writer, which must not wait.
    void noteChange(List<Identifier> identifiers) {
        world.purgatory().noteChange(identifiers);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public long inboundBytes() {
        return world.inboundBytes();
    }

    /// The same.
    void note(Happening happening) {
        world.purgatory().note(happening);
    }

    /// How everything is doing; empty if the loop does not answer in time.
    @Override
    public Optional<SyncPicture> picture() {
        return ask(SyncCore::picture);
    }

    /// Compares relays in full, soon.
    ///
    /// @return how many are meant
    @Override
    public int compareNow(Optional<RemoteUrl> one) {
        return ask(answering -> answering.compareNow(one)).orElse(0);
    }

    /// Asks a relay through its link for events that purgatory wants to see again (R7.22a). One after the other asks.
    ///
    /// @return what was taken; nothing if there is no link, or if it takes too long
    Set<EventId> revive(RemoteUrl relay, Set<EventId> ids) {
        var taken = new CompletableFuture<Set<EventId>>();
        gate.expect(ids);
        try {
            world.loop().post(() -> core.revive(relay, List.copyOf(ids), taken::complete));
            return taken.get(REVIVAL_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("relay did not answer in time relay={} reason={}", relay.text(), e.toString());
        } finally {
            gate.expectNoMore(ids);
        }
        return Set.of();
    }

    /// Asks the core something, on its loop.
    <T> Optional<T> ask(Function<SyncCore, T> question) {
        var answer = new CompletableFuture<T>();
        world.loop().post(() -> {
            try {
                answer.complete(question.apply(core));
            } catch (RuntimeException | Error e) { // whoever asks is told
                answer.completeExceptionally(e);
            }
        });
        try {
            return Optional.of(answer.get(LOOK_MAX.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.error("sync could not be asked", e);
        } catch (TimeoutException _) {
            LOG.warn("sync did not answer in time");
        }
        return Optional.empty();
    }

    /// Stops within two seconds (R4.36).
    @Override
    public void close() {
        var stopped = new CompletableFuture<Boolean>();
        world.loop().post(() -> core.stop(() -> stopped.complete(true)));
        try {
            stopped.get(STOP_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("sync did not stop in time; what it learned last may be lost reason={}", e.toString());
        }
        world.close();
        gate.close();
        outside.close();
    }
}
