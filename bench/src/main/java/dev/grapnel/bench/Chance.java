package dev.grapnel.bench;

import dev.grapnel.nostr.Hex;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Chance that comes out the same for the same seed, on every machine.
final class Chance {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final int OID_DIGITS = 40;

    private final SplittableRandom random;

    Chance(long seed) {
        random = new SplittableRandom(seed);
    }

    /// True so many times in a hundred.
    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /// 0 to `bound - 1`, all alike.
    int below(int bound) {
        return random.nextInt(bound);
    }

    /// `min` to `max`, both included, all alike.
    int between(int min, int max) {
        return random.nextInt(min, max + 1);
    }

    /// 0 to `bound - 1`, number n about as often as 1 / (n + 1): Zipf's law, which popularity follows.
    /// Drawn in whole numbers: first how many bits n + 1 has, then those bits.
    int skewed(int bound) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bound);
        while (true) {
            int half = 1 << random.nextInt(bits);
            int drawn = half + random.nextInt(half);
            if (drawn <= bound) {
                return drawn - 1;
            }
        }
    }

    /// `min` to `max`, mostly short: a quarter of the way on average.
    int length(int min, int max) {
        double part = random.nextDouble();
        return min + (int) ((max - min) * part * part * part);
    }

    /// One of these.
    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /// One of these, the first ones more often.
    <T> T pickSkewed(List<T> values) {
        return values.get(skewed(values.size()));
    }

    /// The id of an object no repository has.
    String oid() {
        return oid(random.nextLong());
    }

    /// The object id that belongs to a number.
    static String oid(long number) {
        var digits = new byte[48];
        for (int i = 0; i < 3; i++) {
            Hex.writeWord(mix(number, i), digits, 16 * i);
        }
        return new String(digits, 0, OID_DIGITS, StandardCharsets.ISO_8859_1);
    }

    /// Scatters two numbers over all others; different ones almost always meet different ones.
    static long mix(long number, long salt) {
        long bits = (number ^ salt * GOLDEN) + GOLDEN;
        bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
        return bits ^ bits >>> 31;
    }
}
