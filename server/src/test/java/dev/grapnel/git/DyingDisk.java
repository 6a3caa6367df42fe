package dev.grapnel.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/// A disk whose process dies at a chosen step: from then on nothing happens any more, not even tidying up.
public final class DyingDisk extends SteppedDisk {
    /// Whether the step at which it dies still takes place.
    public enum Death {
        BEFORE_THE_STEP,
        AFTER_THE_STEP,
        /// Something was written, but not all.
        WITHIN_THE_STEP
    }

    private final int stepMax;
    private final Death death;
    private int steps;

    /// @param stepMax steps that succeed
    public DyingDisk(int stepMax, Death death) {
        this.stepMax = stepMax;
        this.death = death;
    }

    /// Whether it came that far.
    public boolean isDead() {
        return steps > stepMax;
    }

    @Override
    protected void step(Step step) throws IOException {
        steps++;
        if (!isDead()) {
            step.run();
            return;
        }
        if (steps == stepMax + 1 && death == Death.AFTER_THE_STEP) {
            step.run();
        }
        throw new IOException("the process died");
    }

    @Override
    public void write(Path file, Content content) throws IOException {
        if (diesWithin()) {
            REAL.write(file, half(content));
        }
        super.write(file, content);
    }

    @Override
    public void append(Path file, Content content) throws IOException {
        if (diesWithin()) {
            REAL.append(file, half(content));
        }
        super.append(file, content);
    }

    private boolean diesWithin() {
        return steps == stepMax && death == Death.WITHIN_THE_STEP;
    }

    private static Content half(Content content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        content.writeTo(bytes);
        return out -> out.write(bytes.toByteArray(), 0, bytes.size() / 2);
    }
}
