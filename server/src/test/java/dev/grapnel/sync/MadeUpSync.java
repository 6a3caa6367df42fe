package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.health.DialFigures;
import dev.grapnel.sync.health.DialWait;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.health.RelayFault;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.index.IndexFigures;
import dev.grapnel.sync.link.LinkPicture;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.received.EventType;
import dev.grapnel.sync.received.IntakeFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Pictures of sync as nobody has seen it.
public final class MadeUpSync {
    public static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private MadeUpSync() {}

    public static RemoteUrl url(String text) {
        return RelayPlaces.parseConfigured(text).find().orElseThrow();
    }

    public static SyncPicture picture(SyncPicture.Relay... relays) {
        return new SyncPicture(
                NOW,
                true,
                new IndexFigures(7, 3, 40, 55, 19, 3, 4, 2, 0, 0, false, 1_000),
                new IntakeFigures(
                        Map.of(EventType.STATE, 2),
                        Map.of(EventType.OTHER, 9),
                        Map.of(Reason.ORPHAN, 11),
                        11,
                        12,
                        1,
                        1,
                        5),
                new DialFigures(3, 1, 1, 0, 6, 1, Map.of(RelayFault.TLS, 1)),
                false,
                4_096,
                61,
                List.of(relays));
    }

    /// Connected, and all is well.
    public static SyncPicture.Relay well(String url) {
        return relay(url, RelayStatus.HEALTHY, link(LinkState.CONNECTED, 0, 0), Optional.empty());
    }

    /// Fell silent, has limits, did things.
    public static SyncPicture.Relay ill(String url, String... troubles) {
        var link = link(LinkState.DISCONNECTED, 0, 0);
        var wait = new DialWait(DialWait.Cause.FAILED, Duration.ofSeconds(80));
        var relay = relay(url, RelayStatus.DEGRADED, link, Optional.of(wait));
        return new SyncPicture.Relay(
                relay.url(),
                false,
                false,
                2,
                1,
                relay.status(),
                5,
                Duration.ZERO,
                250,
                "it fell silent",
                link,
                relay.waiting(),
                Map.of(Trait.SUBSCRIPTIONS, new Learned.Entry(12, NOW.plusSeconds(3600))),
                Stream.of(troubles)
                        .map(words -> new Trouble(words, 12, NOW.minusSeconds(600), NOW.minusSeconds(180)))
                        .toList());
    }

    /// Connected, asked to slow down, and short of room.
    public static SyncPicture.Relay busy(String url) {
        var relay = relay(url, RelayStatus.RATE_LIMITED, link(LinkState.WITH_FAILURES, 6, 2), Optional.empty());
        return new SyncPicture.Relay(
                relay.url(),
                true,
                true,
                9,
                6,
                relay.status(),
                0,
                Duration.ofSeconds(65),
                relay.rate(),
                "",
                relay.link(),
                relay.waiting(),
                Map.of(),
                List.of());
    }

    private static SyncPicture.Relay relay(
            String url, RelayStatus status, LinkPicture link, Optional<DialWait> waiting) {
        return new SyncPicture.Relay(
                url(url), false, false, 4, 4, status, 0, Duration.ZERO, 2_000, "", link, waiting, Map.of(), List.of());
    }

    private static LinkPicture link(LinkState state, int batches, int parked) {
        boolean isBusy = batches > 0;
        return new LinkPicture(
                state,
                3,
                0,
                OptionalLong.of(NOW.getEpochSecond() - 7),
                batches,
                parked,
                isBusy ? OptionalLong.of(75) : OptionalLong.empty(),
                state.isUp() ? 24 : 0,
                isBusy ? 150 : 0,
                isBusy ? 2 : 0,
                100,
                20,
                state.isUp() ? 3 : 0,
                isBusy ? 8 : 0,
                isBusy ? 1 : 0,
                isBusy ? OptionalLong.of(300) : OptionalLong.empty(),
                isBusy ? 2 : 0,
                isBusy ? 17 : 0,
                isBusy ? 1 : 0,
                isBusy ? 5 : 0);
    }
}
