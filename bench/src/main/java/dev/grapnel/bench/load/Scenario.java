package dev.grapnel.bench.load;

import java.io.IOException;

/// Something to measure.
interface Scenario {
    /// What it is, for headings.
    String title();

    /// Measures one relay once.
    ///
    /// @param round from 0 on; what cannot be done twice to a relay takes other input each time
    Outcome run(Target target, int round) throws IOException, InterruptedException;
}
