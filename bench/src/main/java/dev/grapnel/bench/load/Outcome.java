package dev.grapnel.bench.load;

/// What one run of a scenario gave.
record Outcome(Figures figures, Surprises surprises) {
    /// Whether something happened that makes the figures worthless.
    boolean isMarked() {
        return surprises.count() > 0;
    }
}
