package dev.grapnel.bench.load;

import java.io.IOException;

/// Who takes part in a contest.
record Entrant(String name, Measurement measurement) {
    /// What is done with it in every round.
    interface Measurement {
        /// Measures it once.
        Outcome run(int round) throws IOException, InterruptedException;
    }
}
