package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One event on its way through the gate, and all that brought it meanwhile (R7.11).
final class Passage {
    private final Delivery first;
    private final List<Delivery> others = new ArrayList<>();
    private Stripes.@Nullable Claim claim;
    private long begunAt;
    private boolean isServed;
    private boolean isMetered;

    Passage(Delivery first) {
        this.first = first;
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
        others.add(delivery);
    }

    List<Delivery> others() {
        return others;
    }

    void claim(Stripes.Claim taken) {
        claim = taken;
    }

    Stripes.@Nullable Claim claim() {
        return claim;
    }

    /// The moment of [RecentKeys] when it was given to the gate.
    void begin(long moment) {
        begunAt = moment;
    }

    long begunAt() {
        return begunAt;
    }

    /// It counts for the quota of its relay.
    void meter() {
        isMetered = true;
    }

    boolean isMetered() {
        return isMetered;
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
