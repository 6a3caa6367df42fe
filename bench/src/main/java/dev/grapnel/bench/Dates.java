package dev.grapnel.bench;

/// When things happen: on through four years, most in order, some told late, some in the same second.
final class Dates {
    /// 1 October 2022.
    private static final long START = 1_664_582_400L;

    private static final long YEARS_4 = 4L * 365 * 24 * 3600;
    private static final int HOUR = 3600;
    private static final int HOURS_60_DAYS = 60 * 24;

    private final Chance chance;
    private final int stepMax;
    private long now = START;
    private long last = START;

    /// @param count events over which to spread
    Dates(Chance chance, int count) {
        this.chance = chance;
        this.stepMax = Math.toIntExact(Math.max(1, 2 * YEARS_4 / count));
    }

    /// The next event's date, but none before the given one.
    long next(long notBefore) {
        now += chance.below(stepMax + 1);
        last = Math.max(notBefore, raw());
        return last;
    }

    private long raw() {
        int lot = chance.below(100);
        if (lot < 3) {
            return last;
        }
        return lot < 11 ? now - (long) HOUR * chance.skewed(HOURS_60_DAYS) - chance.below(HOUR) : now;
    }
}
