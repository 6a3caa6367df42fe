package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.DialFigures;
import dev.grapnel.sync.health.DialWait;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.index.IndexFigures;
import dev.grapnel.sync.link.LinkPicture;
import dev.grapnel.sync.received.IntakeFigures;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// How sync is doing, for people and for metrics.
///
/// @param takenAt when it was so
/// @param isReady whether everything that is stored is in the index
/// @param isCutOff whether this server itself seems to be without a network
/// @param vectorBytes memory of comparisons
/// @param prefixes threads at relays of which it is known how far they were asked for (sync 8.2)
public record SyncPicture(
        Instant takenAt,
        boolean isReady,
        IndexFigures index,
        IntakeFigures intake,
        DialFigures order,
        boolean isCutOff,
        long vectorBytes,
        int prefixes,
        List<Relay> relays) {
    private static final int NAME_MAX = 200;
    private static final int MARK_BYTES = 2;

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
    /// @param reason why we ended the last connection, or did not begin one, if we did
    /// @param waiting why it is not dialled now, if it is not connected
    /// @param learned limits of its that we met, each with the moment at which it is tried again without them
    /// @param troubles what it did that it should not have, the latest first
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
            LinkPicture link,
            Optional<DialWait> waiting,
            Map<Trait, Learned.Entry> learned,
            List<Trouble> troubles) {
        public Relay {
            learned = Collections.unmodifiableMap(new LinkedHashMap<>(learned));
            troubles = List.copyOf(troubles);
        }

        /// Its address as everybody may read it: a query may be a password, so it is left out.
        public String name() {
            return nameOf(url);
        }
    }

    /// How a relay is called wherever strangers may read it.
    public static String nameOf(RemoteUrl url) {
        var text = url.text();
        int query = text.indexOf('?');
        var name = query < 0 ? text : text.substring(0, query) + "?…";
        var shown = name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX) + "…";
        return shown.equals(text) ? shown : shown + "#" + mark(text);
    }

    /// Tells names apart of which not all is shown. It is short, so that whoever tries passwords learns next to nothing
    /// from it.
    private static String mark(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, MARK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    /// For how long nothing that a relay has was surely here; empty if that was never so.
    public OptionalLong lagSeconds(Relay relay) {
        var until = relay.link().completeUntil();
        return until.isPresent()
                ? OptionalLong.of(Math.max(0, takenAt.getEpochSecond() - until.getAsLong()))
                : OptionalLong.empty();
    }
}
