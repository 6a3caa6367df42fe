package dev.grapnel.sync.health;

import dev.grapnel.outbound.RemoteUrl;
import java.util.Comparator;

/// A relay that is wanted. Sorted by what can change, so it changes only outside of sorted sets.
final class Candidate {
    /// By standing, then by who came first.
    static final Comparator<Candidate> RANK =
            Comparator.comparing(Candidate::standing, Standing.FIRST).thenComparingLong(Candidate::since);

    private final int relay;
    private final RemoteUrl url;
    private final long since;
    private Standing standing;

    /// @param since a number that grows from one candidate to the next
    Candidate(int relay, RemoteUrl url, long since, Standing standing) {
        this.relay = relay;
        this.url = url;
        this.since = since;
        this.standing = standing;
    }

    int relay() {
        return relay;
    }

    RemoteUrl url() {
        return url;
    }

    long since() {
        return since;
    }

    Standing standing() {
        return standing;
    }

    void setStanding(Standing to) {
        standing = to;
    }

    boolean outranks(Candidate other) {
        return standing.outranks(other.standing);
    }
}
