package dev.grapnel.server.ops;

import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.SyncPicture.Relay;
import dev.grapnel.sync.Trouble;
import dev.grapnel.sync.health.DialWait;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.link.LinkState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How people are told about relays, wherever they read it.
public final class RelayWords {
    private RelayWords() {}

    /// The relays of a picture, those first that somebody should look at.
    public static List<Relay> worstFirst(SyncPicture picture) {
        return picture.relays().stream()
                .sorted(Comparator.comparing(Relay::isBootstrap)
                        .reversed()
                        .thenComparingInt(RelayWords::rank)
                        .thenComparing(Comparator.comparingLong((Relay relay) ->
                                        picture.lagSeconds(relay).orElse(0))
                                .reversed())
                        .thenComparing(Relay::name))
                .toList();
    }

    private static int rank(Relay relay) {
        return switch (relay.status()) {
            case DEGRADED -> 0;
            case DEAD -> 1;
            case POLICY_LIMITED -> 2;
            case RATE_LIMITED -> 3;
            case HEALTHY, DISCONNECTED ->
                switch (relay.link().state()) {
                    case WITH_FAILURES -> 4;
                    case SYNCING -> relay.link().parked() > 0 ? 4 : 6;
                    case CONNECTING, DISCONNECTING -> 6;
                    case DISCONNECTED -> 7;
                    case CONNECTED -> relay.troubles().isEmpty() ? 8 : 5;
                };
        };
    }

    /// Whether nothing need be said about it.
    public static boolean isWell(Relay relay) {
        return switch (relay.status()) {
            case HEALTHY ->
                relay.link().state() != LinkState.WITH_FAILURES && relay.link().parked() == 0;
            case DISCONNECTED -> true;
            case DEGRADED, DEAD, RATE_LIMITED, POLICY_LIMITED -> false;
        };
    }

    /// When a relay is tried next, and why not now.
    public static String words(DialWait wait) {
        var why = wait.cause().words() + (wait.detail().isEmpty() ? "" : ": " + wait.detail());
        return wait.left().isPositive() ? "in " + span(wait.left()) + ", " + why : why;
    }

    /// A limit of a relay's.
    public static String words(Trait trait, long value) {
        return switch (trait) {
            case SUBSCRIPTIONS -> "at most " + number(value) + " subscriptions at once";
            case OPEN_BYTES -> "at most " + number(value) + " bytes of open subscriptions";
            case FILTERS -> "at most " + number(value) + " filters in a request";
            case WIDTH -> "at most " + number(value) + " values in a filter";
            case SESSIONS -> value == 0 ? "no comparisons" : "at most " + number(value) + " comparisons at once";
            case RATE -> "at most " + perSecond(value) + " requests a second";
            case MESSAGE_BYTES -> "messages of at most " + number(value) + " bytes";
            case NO_LIMIT_ZERO -> "it does not take limit 0";
            case NO_NEGENTROPY -> "it does not compare (no negentropy)";
            case BROKEN_NEGENTROPY -> "its comparisons name events that it does not send";
            case NO_EOSE -> "it never says that it has told everything (EOSE)";
        };
    }

    /// What is only asked for now and then, because it cannot be streamed.
    public static String givenUp(int level) {
        return switch (level) {
            case 0 -> "nothing";
            case 1 -> "answers in threads";
            case 2 -> "answers in threads, and quotations";
            case 3 -> "answers in threads, quotations, and what names a repository as its root";
            case 4 -> "everything: one wide filter takes the place of all";
            default -> "anything but announcements: the relay has room for too few subscriptions";
        };
    }

    /// What a relay did, how often and when.
    public static String words(Trouble trouble, Instant now) {
        var ago = Duration.between(trouble.lastAt(), now);
        var last = ago.toSeconds() < 1 ? "just now" : span(ago) + " ago";
        return "it " + trouble.words()
                + (trouble.count() == 1 ? ", " + last : ", " + number(trouble.count()) + " times, last " + last);
    }

    /// What is known of failures that were remembered over a restart, while nothing else is told of the relay: how
    /// they went is not kept.
    public static Optional<String> earlier(Relay relay) {
        return relay.failures() > 0 && relay.troubles().isEmpty()
                ? Optional.of("it failed before the last start")
                : Optional.empty();
    }

    /// Why events were refused.
    public static String words(Reason reason) {
        return switch (reason) {
            case DOES_NOT_LIST_SERVICE -> "announcements that do not name this service";
            case MAINTAINER_NOT_YET_VALID -> "announcements of people nobody has confirmed";
            case STATE_NOT_AUTHORISED -> "states of people who may not sign them";
            case ORPHAN -> "answers to something that is not here";
            case SUPERSEDED -> "older versions of what is here";
            case OTHER -> "for other reasons";
        };
    }

    /// A rate of requests.
    ///
    /// @param perThousandSeconds as relays are asked
    public static String perSecond(long perThousandSeconds) {
        return perThousandSeconds % 1000 == 0
                ? Long.toString(perThousandSeconds / 1000)
                : String.format(Locale.ROOT, "%.2f", perThousandSeconds / 1000.0);
    }

    /// A time in its two largest units.
    public static String span(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return units(seconds / 60, "min", seconds % 60, "s");
        }
        return seconds < 86_400
                ? units(seconds / 3600, "h", seconds % 3600 / 60, "min")
                : units(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    private static String units(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    /// A number as people read it.
    public static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
