package dev.grapnel.sync.sim;

import java.util.List;

/// Something was wrong in a world.
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;
    private static final int TOLD_MAX = 20;

    private final String invariant;

    /// @param problems each begins with the name of its invariant and a colon
    Violation(SimWorld world, List<String> problems) {
        super(world + ":\n"
                + String.join("\n", problems.stream().limit(TOLD_MAX).toList())
                + (problems.size() > TOLD_MAX ? "\nand " + (problems.size() - TOLD_MAX) + " more" : ""));
        this.invariant = nameOf(problems.getFirst());
    }

    private static String nameOf(String problem) {
        return problem.substring(0, problem.indexOf(':'));
    }

    /// By which two failures are the same: the invariant that was broken first, or what was thrown.
    static String sortOf(Throwable problem) {
        return problem instanceof Violation violation
                ? violation.invariant
                : problem.getClass().getSimpleName();
    }
}
