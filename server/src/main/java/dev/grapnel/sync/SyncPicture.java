package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.DialOrder;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.index.IndexFigures;
import dev.grapnel.sync.link.LinkPicture;
import dev.grapnel.sync.received.IntakeFigures;
import java.time.Duration;
import java.util.List;

/// How sync is doing, for people and for metrics.
///
/// @param isReady whether everything that is stored is in the index
/// @param isCutOff whether this server itself seems to be without a network
/// @param vectorBytes memory of comparisons
public record SyncPicture(
        boolean isReady,
        IndexFigures index,
        IntakeFigures intake,
        DialOrder.Figures order,
        boolean isCutOff,
        long vectorBytes,
        List<Relay> relays) {
    public SyncPicture {
        relays = List.copyOf(relays);
    }

    /// One relay.
    ///
    /// @param repositories that name it
    /// @param full of these, those that are wanted in full
    /// @param failures in a row
    /// @param coolingFor how long nothing is asked because it wants us to slow down
    /// @param rate requests in a thousand seconds
    /// @param reason why we ended the last connection, if we did
    public record Relay(
            RemoteUrl url,
            boolean isBootstrap,
            boolean isConfigured,
            int repositories,
            int full,
            RelayStatus status,
            int failures,
            Duration coolingFor,
            int rate,
            String reason,
            LinkPicture link) {}
}
