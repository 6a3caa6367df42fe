package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate;
import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Signer;
import dev.grapnel.sync.world.SnapshotFiles;
import dev.grapnel.sync.world.Transport;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Everything a core is made of.
///
/// @param name of the node, for failures
/// @param self its own relay
/// @param bootstrap the relay its operator named
public record Ports(
        String name,
        RemoteUrl self,
        Optional<RemoteUrl> bootstrap,
        Scheduler scheduler,
        RandomGenerator random,
        Transport transport,
        InformationSource information,
        Archive archive,
        Gate gate,
        PurgatoryView purgatory,
        SnapshotFiles files,
        Signer signer,
        NaughtyList naughty) {}
