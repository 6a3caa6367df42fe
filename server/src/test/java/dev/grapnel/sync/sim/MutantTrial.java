package dev.grapnel.sync.sim;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A process of its own that runs scenes until one of them shows that the core is wrong. Which core that is, is a
/// matter of its class path.
final class MutantTrial {
    /// How it ends.
    enum Verdict {
        SURVIVED(0),
        FOUND(10),
        /// Something else went wrong.
        BROKEN(11);

        private final int exitCode;

        Verdict(int exitCode) {
            this.exitCode = exitCode;
        }

        int exitCode() {
            return exitCode;
        }

        static Verdict of(int exitCode) {
            return Arrays.stream(values())
                    .filter(verdict -> verdict.exitCode() == exitCode)
                    .findFirst()
                    .orElse(BROKEN);
        }
    }

    private MutantTrial() {}

    /// Arguments: names of scenes.
    static void main(String... names) {
        System.exit(run(List.of(names)).exitCode());
    }

    private static Verdict run(List<String> names) {
        int worlds = 0;
        for (var scene : names.stream().map(Scene::of).toList()) {
            for (int seed = 1; seed <= scene.seeds(); seed++) {
                worlds++;
                var problem = problem(scene, seed);
                if (problem.isPresent()) {
                    boolean isFound = problem.get() instanceof AssertionError;
                    System.out.println(scene + (scene.isRandom() ? " " + seed : "") + " | " + worlds + " | "
                            + word(problem.get()));
                    if (!isFound) {
                        problem.get().printStackTrace(System.out);
                    }
                    return isFound ? Verdict.FOUND : Verdict.BROKEN;
                }
            }
        }
        return Verdict.SURVIVED;
    }

    private static Optional<Throwable> problem(Scene scene, long seed) {
        try {
            scene.run().accept(seed);
            return Optional.empty();
        } catch (RuntimeException | Error problem) { // told by the caller, who ends the process with it
            return Optional.of(problem);
        }
    }

    /// Its first line that says something: worlds begin with their own.
    private static String word(Throwable problem) {
        var lines = String.valueOf(problem.getMessage()).lines().toList();
        var line = lines.size() > 1 && lines.getFirst().startsWith("world") ? lines.get(1) : lines.getFirst();
        return problem instanceof AssertionError ? line : problem.getClass().getSimpleName() + ": " + line;
    }
}
