package dev.grapnel.purgatory;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever people do in whatever order, the server answers, serves, holds and forgets what [NaiveGrasp]
/// says, which knows the specification and nothing else.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.history.seeds=5000` looks at more seeds, `-Dgrapnel.history.first=17`
/// begins with the one a failure named. A failure tells the story up to the first step that differs.
final class HistoryTest {
    private static final int SEEDS = Integer.getInteger("grapnel.history.seeds", 120);
    private static final int FIRST = Integer.getInteger("grapnel.history.first", 1);
    private static final int STEPS = Integer.getInteger("grapnel.history.steps", 40);

    @Test
    void everyStepOfAHistoryEndsAsTheSpecificationSays(@TempDir Path directory) throws Exception {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            var run = new HistoryRun(seed, directory.resolve("seed" + seed));
            try {
                run.run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + run.story(), e);
            }
        }
    }
}
