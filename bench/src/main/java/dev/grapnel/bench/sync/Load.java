package dev.grapnel.bench.sync;

/// How much there is of everything (sync 8.1).
record Load(int repos, int roots, int members, int relays) {
    /// What a server must hold.
    static final Load FULL = new Load(100_000, 5_000_000, 20_000_000, 1_000);

    /// The founding target.
    static final Load FOUNDING = new Load(1_000, 50_000, 0, 100);

    /// A tenth of it, at as many relays.
    Load tenth() {
        return new Load(repos / 10, roots / 10, members / 10, relays);
    }

    @Override
    public String toString() {
        return "%,d repositories, %,d roots, %,d members, %,d relays".formatted(repos, roots, members, relays);
    }
}
