package dev.grapnel.sync.received;

import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;

/// All that [Intake] knows of the world.
///
/// @param refetches asks for events again
/// @param counts for metrics
/// @param notes for the log
public record IntakeParts(
        Scheduler loop,
        Gate gate,
        Archive archive,
        PurgatoryView purgatory,
        SnapshotFiles files,
        RelayNames relays,
        Refetches refetches,
        IntakeCounts counts,
        IntakeNotes notes) {}
