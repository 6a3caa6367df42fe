package dev.grapnel.bench.load;

/// Counts durations in 30 kB however many there are. A percentile is exact below 64 and at most 1/64 too high
/// above.
final class Histogram {
    private static final int BITS = 6;
    private static final int STEPS = 1 << BITS;

    private final long[] counts = new long[(Long.SIZE - BITS) * STEPS];
    private long count;
    private long max;

    /// Counts one; what is negative counts as 0.
    void record(long value) {
        long counted = Math.max(0, value);
        counts[bucket(counted)]++;
        count++;
        max = Math.max(max, counted);
    }

    /// Counts all that another one has counted.
    void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    long count() {
        return count;
    }

    long max() {
        return max;
    }

    /// The least value that so large a share is not above, or 0 if nothing was counted.
    ///
    /// @param share 0.99 for the 99th percentile
    long percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= rank) {
                return Math.min(max, highest(bucket));
            }
        }
        return max;
    }

    /// Each power of two has as many buckets as there are values below the first.
    private static int bucket(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - BITS;
        return (shift + 1) * STEPS + (int) (value >>> shift) - STEPS;
    }

    private static long highest(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        return ((long) (STEPS + bucket % STEPS + 1) << shift) - 1;
    }
}
