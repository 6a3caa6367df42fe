package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One event on its way through the gate, and all that brought it meanwhile (R7.11).
final class Passage {
    private final Delivery first;
    private final Copies copies;
    /// Nothing if it is a copy of what waits here.
    private @Nullable Claims claims;

    private long begunAt;
    private boolean isWaiting = true;
    private boolean isOver;
    private boolean isServed;
    private @Nullable Quotas quota;

    Passage(Delivery first) {
        this(new Copies(first));
    }

    /// The first of these is judged.
    Passage(Copies copies) {
        this.first = copies.first();
        this.copies = copies;
    }

    Delivery first() {
        return first;
    }

    Event event() {
        return first.event();
    }

    EventId id() {
        return first.id();
    }

    int relay() {
        return first.relay();
    }

    /// Another relay has it, too.
    void join(Delivery delivery) {
        copies.add(delivery);
    }

    /// Who brought it.
    Copies copies() {
        return copies;
    }

    /// The relays that brought it.
    Set<Integer> relays() {
        return copies.relays();
    }

    /// It is no copy of what waits here, and needs this.
    void claim(Claims needed) {
        claims = needed;
    }

    Claims claims() {
        return claims == null ? Claims.NONE : claims;
    }

    boolean isCopy() {
        return claims == null;
    }

    /// Whether it has not been given to the gate yet.
    boolean isWaiting() {
        return isWaiting;
    }

    /// The moment of [RecentKeys] when it was given to the gate.
    void begin(long moment) {
        begunAt = moment;
        isWaiting = false;
    }

    /// The gate has answered, or cannot.
    ///
    /// @return whether that is news
    boolean end() {
        boolean isNews = !isOver;
        isOver = true;
        return isNews;
    }

    long begunAt() {
        return begunAt;
    }

    /// It counts for a quota of its relay.
    void meter(Quotas counting) {
        quota = counting;
    }

    Optional<Quotas> quota() {
        return Optional.ofNullable(quota);
    }

    /// It became visible before the gate's answer came.
    void markServed() {
        isServed = true;
    }

    boolean isServed() {
        return isServed;
    }

    /// What those hear who came later, by what the first one hears.
    static Outcome outcomeOfOthers(Outcome outcome) {
        return switch (outcome) {
            case STORED -> Outcome.KNOWN;
            case HELD -> Outcome.KNOWN_HELD;
            case KNOWN,
                    KNOWN_HELD,
                    REFUSED,
                    REFUSED_INVALID,
                    REFUSED_BLOCKED,
                    REFUSED_RESTRICTED,
                    REFUSED_POW,
                    IGNORED,
                    FORGED,
                    FAILED,
                    OVER_QUOTA -> outcome;
        };
    }
}
