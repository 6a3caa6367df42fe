package dev.grapnel.sync;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.health.RelayFault;
import dev.grapnel.sync.link.LinkNote;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Remembers what each relay last did wrong, so that people need not search a log for it: the last few different
/// troubles of a relay, each with how often it happened and when. Belongs to the loop.
///
/// Relays that misbehave longest ago are forgotten first, when there are too many.
public final class RelayTroubles implements Consumer<SyncNote> {
    static final int PER_RELAY_MAX = 5;
    static final int RELAYS_MAX = 2_000;

    private final InstantSource clock;

    /// Those in trouble last at the end; of each the latest trouble first.
    private final Map<RemoteUrl, Deque<Trouble>> relays = new LinkedHashMap<>();

    public RelayTroubles(InstantSource clock) {
        this.clock = clock;
    }

    /// What a relay did, the latest first.
    public List<Trouble> of(RemoteUrl relay) {
        var known = relays.get(relay);
        return known == null ? List.of() : List.copyOf(known);
    }

    @Override
    public void accept(SyncNote note) {
        switch (note) {
            case SyncNote.Removed(var relay, var _) -> relays.remove(relay);
            case SyncNote.Unreachable(var relay, var failure) -> unreachable(relay, failure);
            case SyncNote.Declined(var relay, int status) ->
                add(relay, "answered the WebSocket handshake with HTTP status " + status);
            case SyncNote.Disconnected gone -> disconnected(gone);
            case SyncNote.Parked(var relay, var reason) -> add(relay, "is left alone for a while: " + reason);
            case SyncNote.AtRelay(var relay, var told) -> words(told).ifPresent(words -> add(relay, words));
            case SyncNote.Health(var told) -> health(told);
            case SyncNote.Registered _,
                    SyncNote.Attempted _,
                    SyncNote.Resumed _,
                    SyncNote.Looked _,
                    SyncNote.Bootstrapped _,
                    SyncNote.BootstrapIsOwn _,
                    SyncNote.Drifted _,
                    SyncNote.ClockSet _,
                    SyncNote.Ready _ -> {
                // nobody's fault, or ours
            }
        }
    }

    private void add(RemoteUrl relay, String words) {
        var known = relays.remove(relay);
        var troubles = known == null ? new ArrayDeque<Trouble>() : known;
        relays.put(relay, troubles);
        var now = clock.instant();
        var same = troubles.stream()
                .filter(trouble -> trouble.words().equals(words))
                .findFirst();
        same.ifPresent(troubles::remove);
        troubles.addFirst(same.map(trouble -> trouble.again(now)).orElseGet(() -> new Trouble(words, 1, now, now)));
        if (troubles.size() > PER_RELAY_MAX) {
            troubles.removeLast();
        }
        if (relays.size() > RELAYS_MAX) {
            relays.remove(relays.keySet().iterator().next());
        }
    }

    private void unreachable(RemoteUrl relay, Failure failure) {
        boolean isOurs = failure instanceof Failure.Policy(var rule, var _) && rule == Rule.OWN;
        if (!isOurs) {
            add(relay, words(failure));
        }
    }

    private void disconnected(SyncNote.Disconnected gone) {
        if (!gone.reason().isEmpty()) {
            add(gone.relay(), "was disconnected by us: " + gone.reason());
        } else if (!gone.isPlanned()) {
            add(gone.relay(), "was lost: " + gone.failure().text());
        }
    }

    private static String words(Failure failure) {
        return switch (failure) {
            case Failure.Policy _ -> "may not be connected to: " + failure.text();
            case Failure.Busy _ -> "waits for a place: as many links as may be lead to its address already";
            case Failure.Redirected _,
                    Failure.NoSuchName _,
                    Failure.LookupFailed _,
                    Failure.ConnectFailed _,
                    Failure.CertificateInvalid _,
                    Failure.HandshakeRefused _,
                    Failure.TlsFailed _,
                    Failure.Timeout _,
                    Failure.Broken _,
                    Failure.Protocol _,
                    Failure.Flooded _,
                    Failure.TooLarge _,
                    Failure.Cancelled _ -> "could not be connected to: " + failure.text();
        };
    }

    private void health(HealthNote note) {
        switch (note) {
            case HealthNote.Naughty(var relay, var fault, var _, var _) ->
                add(relay, "is left alone for some hours: " + words(fault));
            case HealthNote.Died(var relay) -> add(relay, "has failed for a whole day");
            case HealthNote.CoolingDown(var relay, var _) -> add(relay, "asked us to slow down");
            case HealthNote.TurnedAway(var relay, int status) ->
                add(relay, "does not let us in (HTTP status " + status + ")");
            case HealthNote.NaughtyOver _,
                    HealthNote.KeptWaiting _,
                    HealthNote.CutOff _,
                    HealthNote.BackOnline _,
                    HealthNote.Forgotten _,
                    HealthNote.NotWritten _ -> {
                // good news, or ours
            }
        }
    }

    private static String words(RelayFault fault) {
        return switch (fault) {
            case DNS -> "its name does not exist";
            case TLS -> "its certificate is not valid";
            case PROTOCOL -> "it does not speak WebSocket there";
        };
    }

    private static Optional<String> words(LinkNote note) {
        return switch (note) {
            case LinkNote.Junk(var reason) -> Optional.of(junk(reason));
            case LinkNote.PageOverflow _ ->
                Optional.of("has more events of one second than it tells at once, so some may be missing here");
            case LinkNote.Watchdog _ -> Optional.of("did not finish answering a request (no EOSE)");
            case LinkNote.Structural(var limit) -> Optional.of("has a limit that was met: " + limit(limit));
            case LinkNote.Fruitless(var limit) -> Optional.of("refuses what can be made no smaller: " + limit(limit));
            case LinkNote.PolicyRefusal(var category) ->
                Optional.of("refuses what is asked: " + category.replace('_', ' '));
            case LinkNote.Compared(var result) ->
                switch (result) {
                    case "timeout" -> Optional.of("did not finish a comparison (negentropy)");
                    case "broken" -> Optional.of("compares without an end, or what it does not have (negentropy)");
                    default -> Optional.empty(); // has a verdict or a limit of its own
                };
            case LinkNote.Refused _ -> Optional.of("ended requests with an error of its own");
            case LinkNote.Chatter _ -> Optional.of("sends a flood of messages that answer nothing");
            case LinkNote.OverQuota _ ->
                Optional.of(
                        "has more new announcements, or GRASP lists of people unknown here, than are taken of a relay"
                                + " in an hour: the rest is asked for later");
            case LinkNote.Verdict(var verdict) -> Optional.of("was judged: " + verdict);
            case LinkNote.AuthenticationFailed _ -> Optional.of("did not accept our authentication");
            case LinkNote.GivenUp(int before, int after) ->
                after > before
                        ? Optional.of("has room for too few subscriptions: some things are asked for only now and then")
                        : Optional.empty();
            case LinkNote.Connected _,
                    LinkNote.Complete _,
                    LinkNote.Eose _,
                    LinkNote.Daily _,
                    LinkNote.BatchEnded _,
                    LinkNote.Page _,
                    LinkNote.Missed _,
                    LinkNote.Noticed _,
                    LinkNote.RateLimited _, // the wait that follows is told
                    LinkNote.Consolidated _,
                    LinkNote.Width _,
                    LinkNote.Ids _,
                    LinkNote.Hydrated _,
                    LinkNote.AnnouncementsComplete _ -> Optional.empty();
        };
    }

    private static String junk(String reason) {
        return switch (reason) {
            case "subscription" -> "sent events for subscriptions that are not open";
            case "unasked" -> "sent events that were not asked for";
            case "signature" -> "sent events with wrong signatures";
            case "hash" -> "sent events whose id is not their hash";
            case "event" -> "sent events that are malformed or wrongly signed";
            case "json" -> "sent messages that cannot be read";
            case "utf8" -> "sent text that is no UTF-8";
            case "binary" -> "sent binary messages";
            case "size" -> "sent messages that are too large";
            case "large_event" -> "sent events that are larger than this server takes";
            case "unknown" -> "sent messages of an unknown type";
            default -> "sent junk (" + reason + ")";
        };
    }

    private static String limit(String limit) {
        return switch (limit) {
            case "open_bytes" -> "bytes of open subscriptions";
            case "filter_count" -> "filters of a request";
            case "items" -> "events of a comparison";
            case "sessions" -> "comparisons at once";
            case "subscriptions" -> "subscriptions at once";
            case "values" -> "values of a filter";
            case "limit" -> "the limit of a filter";
            case "message_bytes" -> "bytes of a message";
            default -> limit.replace('_', ' ');
        };
    }
}
