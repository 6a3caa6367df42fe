package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.IndexTables;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Signer;
import dev.grapnel.sync.world.SnapshotFiles;
import dev.grapnel.sync.world.Transport;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// The world sync runs in.
public record SyncParts(
        Scheduler loop,
        Transport transport,
        InformationSource information,
        Archive archive,
        Gate gate,
        PurgatoryView purgatory,
        SnapshotFiles files,
        Signer signer,
        NaughtyList naughty,
        IndexLimits limits,
        IndexTables tables,
        IntakeCounts counts,
        IntakeNotes intakeNotes,
        Predicate<RemoteUrl> own,
        RandomGenerator chance) {
    boolean isOwn(RemoteUrl url) {
        return own.test(url);
    }
}
