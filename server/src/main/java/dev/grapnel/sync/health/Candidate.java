package dev.grapnel.sync.health;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.outbound.RemoteUrl;
import java.util.Comparator;
import java.util.Optional;

/// A relay that is wanted. Sorted by what can change, so it changes only outside of sorted sets.
final class Candidate {
    /// By standing, then by who came first.
    static final Comparator<Candidate> RANK =
            Comparator.comparing(Candidate::standing, Standing.FIRST).thenComparingLong(Candidate::since);

    /// Among those that only purgatory knows: by turn, then by who came first.
    static final Comparator<Candidate> TURN =
            Comparator.comparingInt(Candidate::turn).thenComparingLong(Candidate::since);

    private final int relay;
    private final RemoteUrl url;
    private final long since;
    private Standing standing;
    private Optional<PublicKey> owner = Optional.empty();
    private int turn;

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

    /// Whose name it counts as, while it is one that only purgatory knows.
    Optional<PublicKey> owner() {
        return owner;
    }

    /// Which of that owner's names it is.
    int turn() {
        return turn;
    }

    void setTurn(PublicKey of, int number) {
        owner = Optional.of(of);
        turn = number;
    }

    void clearTurn() {
        owner = Optional.empty();
        turn = 0;
    }

    boolean outranks(Candidate other) {
        return standing.outranks(other.standing);
    }
}
