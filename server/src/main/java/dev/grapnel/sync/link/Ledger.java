package dev.grapnel.sync.link;

/// The budget of what is open at one relay (R3.14): live subscriptions, requests and comparisons take slots of one
/// number, because several relay programs count them together. A slot is free again when our CLOSE was written.
final class Ledger {
    private static final int REQUESTS_MAX = 8;

    private final Bearing bearing;
    private int live;
    private int requests;
    private int comparisons;

    Ledger(Bearing bearing) {
        this.bearing = bearing;
    }

    /// What a slot is for.
    enum Use {
        LIVE,
        REQUEST,
        COMPARISON
    }

    /// Whether one more may be opened.
    boolean hasRoom(Use use) {
        if (open() >= bearing.usableSlots()) {
            return false;
        }
        return switch (use) {
            case LIVE -> live < bearing.liveSlots();
            case REQUEST -> requests < requestsMax();
            case COMPARISON -> comparisons < bearing.sessions() && (bearing.canStream() || historic() == 0);
        };
    }

    /// A relay that counts bytes, or knows few slots, is asked one thing at a time (R3.14a).
    private int requestsMax() {
        return bearing.openBytes().isPresent() || !bearing.canStream() ? 1 - Math.min(1, comparisons) : REQUESTS_MAX;
    }

    private int historic() {
        return requests + comparisons;
    }

    void take(Use use) {
        add(use, 1);
    }

    void release(Use use) {
        add(use, -1);
    }

    private void add(Use use, int count) {
        switch (use) {
            case LIVE -> live += count;
            case REQUEST -> requests += count;
            case COMPARISON -> comparisons += count;
        }
    }

    /// The connection is gone, and everything with it.
    void clear() {
        live = 0;
        requests = 0;
        comparisons = 0;
    }

    int open() {
        return live + requests + comparisons;
    }

    /// Whether something is asked that ends.
    boolean isAsking() {
        return requests + comparisons > 0;
    }

    int taken(Use use) {
        return switch (use) {
            case LIVE -> live;
            case REQUEST -> requests;
            case COMPARISON -> comparisons;
        };
    }
}
