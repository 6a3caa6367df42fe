package dev.grapnel.sync.sim;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Chance that begins anew with each act of a story: what one act draws does not change what another one does.
final class Chance implements RandomGenerator {
    private final long seed;
    private SplittableRandom random;

    Chance(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
        return random.nextLong();
    }

    /// One for somebody who draws at times of their own.
    SplittableRandom split() {
        return random.split();
    }

    void begin(Act act) {
        turn(act, 1);
    }

    void end(Act act) {
        turn(act, 2);
    }

    private void turn(Act act, int part) {
        long place = 31L * (31L * act.kind().place() + act.number()) + part;
        random = new SplittableRandom(seed ^ new SplittableRandom(place).nextLong());
    }
}
