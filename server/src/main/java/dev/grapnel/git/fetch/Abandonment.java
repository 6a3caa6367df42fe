package dev.grapnel.git.fetch;

import java.util.function.BooleanSupplier;
import org.eclipse.jgit.lib.EmptyProgressMonitor;

/// Tells the git library to stop when nobody waits for the result any more, or when it has counted more than
/// there is memory for.
final class Abandonment extends EmptyProgressMonitor {
    private final BooleanSupplier abandoned;
    private final long countedMax;
    private long counted;
    private boolean isCounting = true;

    Abandonment(BooleanSupplier abandoned, long countedMax) {
        this.abandoned = abandoned;
        this.countedMax = countedMax;
    }

    @Override
    public boolean isCancelled() {
        return abandoned.getAsBoolean();
    }

    @Override
    public void update(int completed) {
        counted += isCounting ? completed : 0;
        if (counted > countedMax) {
            throw new TooManyObjects(countedMax);
        }
    }

    /// What comes now makes no list longer.
    void haveCounted() {
        isCounting = false;
    }
}
