package dev.grapnel.sync.link;

/// How a connection begins (sync 4.4).
enum Strategy {
    /// Nothing was ever confirmed.
    FRESH("fresh"),
    /// The gap is too long: as fresh.
    STALE("stale"),
    /// Only the gap is asked for.
    QUICK("quick");

    private final String word;

    Strategy(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
