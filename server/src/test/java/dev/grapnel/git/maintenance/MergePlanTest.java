package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MergePlanTest {
    private static List<PackSize> packs(long... sizes) {
        return IntStream.range(0, sizes.length)
                .mapToObj(i -> new PackSize("p" + i, sizes[i], sizes[i]))
                .toList();
    }

    private static List<Long> merged(long... sizes) {
        return MergePlan.of(packs(sizes)).packs().stream().map(PackSize::bytes).toList();
    }

    @Test
    void nothingIsMergedWhereEachPackIsTwiceAsLargeAsTheOneBefore() {
        assertEquals(List.of(), merged());
        assertEquals(List.of(), merged(10));
        assertEquals(List.of(), merged(10, 20, 40, 1_000));
    }

    @Test
    void smallPushLeavesLargePackAlone() {
        assertEquals(List.of(1L, 1L), merged(1_000_000, 1, 1));
    }

    @Test
    void mergedPacksDrawInThoseThatAreNotMuchLarger() {
        assertEquals(List.of(10L, 10L, 30L), merged(10, 30, 10, 100));
        assertEquals(List.of(10L, 10L, 30L, 90L), merged(10, 30, 10, 90));
    }

    @Test
    void packsStayFewAndBytesAreRewrittenSeldomWhateverIsPushed() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            simulate(random, random.nextInt(1, 20), "seed " + seed);
        }
    }

    private static void simulate(Random random, int spread, String seed) {
        var sizes = new ArrayList<Long>();
        long pushed = 0;
        long written = 0;
        for (int push = 0; push < 2_000; push++) {
            long size = 1 + random.nextLong(1L << random.nextInt(1, 1 + spread));
            pushed += size;
            sizes.add(size);
            var plan =
                    MergePlan.of(packs(sizes.stream().mapToLong(Long::longValue).toArray()));
            assertTrue(plan.packs().size() != 1, seed);
            if (!plan.isEmpty()) {
                plan.packs().forEach(pack -> sizes.remove((Long) pack.bytes()));
                sizes.add(plan.bytes());
                written += plan.bytes();
            }
            assertEquals(
                    List.of(), merged(sizes.stream().mapToLong(Long::longValue).toArray()), seed);
            double log = Math.log((double) pushed + 1) / Math.log(2);
            assertTrue(sizes.size() <= log + 2, seed + ": " + sizes.size() + " packs of " + pushed + " bytes");
            assertTrue(written <= pushed * (2 * log + 2), seed + ": " + written + " written for " + pushed);
        }
    }
}
