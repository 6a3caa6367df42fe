package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.Configuration.Value;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.ServiceSettings.Backend;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.Ejection;
import dev.grapnel.purgatory.Purgatory;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlCommand;
import dev.grapnel.server.control.ControlLimits;
import dev.grapnel.server.control.ControlServer;
import dev.grapnel.server.control.DropAnswer;
import dev.grapnel.server.control.EjectAnswer;
import dev.grapnel.server.control.HuntLimitsAnswer;
import dev.grapnel.server.control.HuntListAnswer;
import dev.grapnel.server.control.HuntNowAnswer;
import dev.grapnel.server.control.ListAnswer;
import dev.grapnel.server.control.PurgatoryCounts;
import dev.grapnel.server.control.ReleaseAnswer;
import dev.grapnel.server.control.RepairsAnswer;
import dev.grapnel.server.control.ShowAnswer;
import dev.grapnel.server.control.StatusAnswer;
import dev.grapnel.server.control.SyncListAnswer;
import dev.grapnel.server.control.SyncNowAnswer;
import dev.grapnel.server.control.SyncShowAnswer;
import dev.grapnel.server.control.VerifyAnswer;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.tool.EventRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the door through which the operator asks the running server.
///
/// @param reconciliation nothing for a server whose refs follow no events
/// @param ejection nothing for such a server, too
/// @param nanoTime a clock that only runs forward
record ControlOpening(
        Configuration settings,
        EventStore store,
        Purgatory purgatory,
        Repositories repositories,
        Optional<Reconciliation> reconciliation,
        Optional<Ejection> ejection,
        InstantSource clock,
        LongSupplier nanoTime) {
    private static final Logger LOG = LoggerFactory.getLogger(ControlOpening.class);

    /// A server without it serves all the same, so what is in the way is no reason not to start. Nothing also for
    /// a server whose events are in memory, unless the operator names a directory.
    Optional<ControlServer> open(StatusAnswer.Facts facts, int cores, SyncView sync) {
        var directory = findDirectory();
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        try {
            Files.createDirectories(directory.get());
            return Optional.of(ControlServer.open(
                    directory.get(), commands(facts, cores, sync), ControlLimits.DEFAULTS, nanoTime));
        } catch (IOException e) {
            LOG.warn("no control socket: grapnel status and its like cannot ask this server reason={}", e.toString());
            return Optional.empty();
        }
    }

    private Optional<Path> findDirectory() {
        return settings.findValue(ServiceSettings.RELAY_DATA_PATH)
                .filter(path -> isOnDisk() || path.isGiven())
                .map(Value::value);
    }

    private boolean isOnDisk() {
        return settings.require(ServiceSettings.DATABASE_BACKEND) == Backend.LMDB;
    }

    private List<ControlCommand> commands(StatusAnswer.Facts facts, int cores, SyncView sync) {
        var memory = settings.require(PurgatorySettings.PURGATORY_EXPIRED_RETENTION_SECS);
        var commands = new ArrayList<ControlCommand>(List.of(
                new StatusAnswer(facts, store, () -> PurgatoryCounts.of(store)),
                new ListAnswer(store, memory, this::followedClock),
                new ShowAnswer(store, memory, this::followedClock),
                new DropAnswer(store, this::drop, clock),
                new VerifyAnswer(store, new EventRemoval.FromStore(store), Math.max(1, cores / 2), nanoTime),
                new RepairsAnswer(store),
                new SyncListAnswer(sync),
                new SyncShowAnswer(sync),
                new SyncNowAnswer(sync)));
        reconciliation.ifPresent(parts -> {
            commands.add(
                    new CheckAnswer(parts.integrity(), parts.findings(), repositories, store, parts::repair, clock));
            commands.add(new ReleaseAnswer(store, parts.ledger(), parts::release));
            boolean hunts = settings.require(PurgatorySettings.HUNT_ENABLED);
            commands.add(new HuntListAnswer(hunts, parts.hunting()));
            commands.add(new HuntLimitsAnswer(parts.hunting()));
            commands.add(new HuntNowAnswer(hunts, parts.hunting()::huntNow));
        });
        ejection.ifPresent(parts -> commands.add(new EjectAnswer(parts)));
        return List.copyOf(commands);
    }

    /// Time left is told as rows say it, so they must be true.
    private Instant followedClock() {
        purgatory.followClock();
        return clock.instant();
    }

    private Optional<Held> drop(EventId id) {
        try {
            return purgatory.drop(id);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// Free space where the events are.
    OptionalLong freeBytes() {
        if (!isOnDisk()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Files.getFileStore(settings.require(ServiceSettings.RELAY_DATA_PATH))
                    .getUsableSpace());
        } catch (IOException e) {
            LOG.warn("free disk space unknown reason={}", e.getMessage());
            return OptionalLong.empty();
        }
    }
}
