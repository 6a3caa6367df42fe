package dev.grapnel.purgatory;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// README I-3: refs are a pure function of signed events and objects present, whatever came in whatever order.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.theorem.seeds=5000` looks at more seeds, `-Dgrapnel.theorem.first=17` begins
/// with the one a failure named, `-Dgrapnel.theorem.steps=200` makes longer histories. A failure tells the story
/// up to the first step after which something is not as it must be, and then as little of it as suffices.
final class TheoremTest {
    private static final int SEEDS = Integer.getInteger("grapnel.theorem.seeds", 60);
    private static final int FIRST = Integer.getInteger("grapnel.theorem.first", 1);
    private static final int STEPS = Integer.getInteger("grapnel.theorem.steps", 30);

    @Test
    void i3RefsAreAFunctionOfSignedEventsAndObjectsPresent(@TempDir Path directory) throws Exception {
        try (var objects = new TheoremObjects()) {
            for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
                var run = new TheoremRun(seed, directory.resolve("seed" + seed), objects);
                try {
                    run.run(STEPS);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
        }
    }
}
