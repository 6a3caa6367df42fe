package dev.grapnel.sync.sim;

import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.SyncCore;
import dev.grapnel.sync.SyncNote;
import dev.grapnel.sync.SyncParts;
import dev.grapnel.sync.index.HeapTables;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The real core in a simulated node.
final class JoinedCore implements Core {
    private static final Duration SYNCING_MAX = Duration.ofHours(2);

    private final Ports ports;
    private final SyncCore core;
    private final List<SyncNote> drifts = new ArrayList<>();

    JoinedCore(Ports ports, SyncConfig config) {
        this.ports = ports;
        var parts = new SyncParts(
                ports.scheduler(),
                ports.transport(),
                ports.information(),
                ports.archive(),
                ports.gate(),
                ports.purgatory(),
                ports.files(),
                ports.signer(),
                ports.naughty(),
                IndexLimits.DEFAULTS,
                new HeapTables(),
                IntakeCounts.NONE,
                IntakeNotes.NONE,
                ports.self()::equals,
                ports.random());
        this.core = new SyncCore(config, parts, this::noted);
    }

    /// With the usual settings.
    static CoreFactory usual() {
        return with(UnaryOperator.identity());
    }

    /// With other settings.
    static CoreFactory with(UnaryOperator<SyncConfig> change) {
        return ports -> new JoinedCore(ports, change.apply(bootstrapped(ports)));
    }

    private static SyncConfig bootstrapped(Ports ports) {
        var usual = SyncConfig.DEFAULTS;
        return new SyncConfig(
                ports.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                usual.link());
    }

    private void noted(SyncNote note) {
        if (note instanceof SyncNote.Drifted) {
            drifts.add(note);
        }
    }

    SyncCore core() {
        return core;
    }

    @Override
    public void start() {
        core.start();
    }

    @Override
    public void stop() {
        core.stop(() -> {});
    }

    @Override
    public List<String> problems(Watched invariant, Moment moment) {
        return switch (invariant) {
            case I4, I5, I16 -> List.of();
            case I6 -> {
                var told = drifts.stream().map(SyncNote::toString).toList();
                drifts.clear();
                yield told;
            }
            case I7 -> moment == Moment.QUIET ? busy() : List.of();
            case I9 -> List.of();
            case I18 -> stuck();
        };
    }

    private List<String> busy() {
        return core.picture().relays().stream()
                .filter(relay -> relay.link().state() == LinkState.CONNECTED
                        && relay.link().batches() > 0)
                .map(relay -> relay.url() + " has " + relay.link().batches() + " batches though nothing is to be done")
                .toList();
    }

    private List<String> stuck() {
        long now = ports.scheduler().nanos();
        return core.picture().relays().stream()
                .filter(relay -> relay.link().state() == LinkState.SYNCING
                        && relay.link().oldestBatch().orElse(0) > SYNCING_MAX.toSeconds()
                        && now - relay.link().openedAt() > SYNCING_MAX.toNanos())
                .map(relay -> relay.url() + " is still syncing: " + relay.link())
                .toList();
    }

    /// For failures.
    @Override
    public String toString() {
        return core.links().stream().map(Link::picture).toList().toString();
    }
}
