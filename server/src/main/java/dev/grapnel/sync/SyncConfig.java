package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.HealthConfig;
import dev.grapnel.sync.index.FeedTimes;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.received.IntakeConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What the operator may set (sync 9.3).
///
/// @param bootstrap the relay to begin with
/// @param privatePeers private services that are synced with
/// @param isPrivate whether this is a private service itself (R4.5a)
/// @param requestRate highest number of requests a second at one relay
/// @param connectTime how long connecting may take
/// @param checkEvery between two looks for relays that nobody names
public record SyncConfig(
        Optional<RemoteUrl> bootstrap,
        List<RemoteUrl> privatePeers,
        boolean isPrivate,
        int requestRate,
        Duration connectTime,
        Duration checkEvery,
        FeedTimes feed,
        HealthConfig health,
        IntakeConfig intake,
        LinkConfig link) {
    public static final SyncConfig DEFAULTS = new SyncConfig(
            Optional.empty(),
            List.of(),
            false,
            10,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            FeedTimes.DEFAULTS,
            HealthConfig.DEFAULTS,
            IntakeConfig.of(Duration.ofSeconds(120), Duration.ofDays(7), ""),
            LinkConfig.DEFAULTS);

    public SyncConfig {
        privatePeers = List.copyOf(privatePeers);
    }
}
