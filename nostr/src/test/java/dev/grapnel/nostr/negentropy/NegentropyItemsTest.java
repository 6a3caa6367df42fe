package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class NegentropyItemsTest {
    private static final long SEED = 5_7;

    enum Arrival {
        ASCENDING,
        DESCENDING,
        NEWEST_FIRST,
        NEWEST_FIRST_SHUFFLED_SECONDS,
        SHUFFLED,
        ORGAN_PIPE,
        ALL_EQUAL,
        TWICE;

        List<Item> of(Collection<Item> items, long seed) {
            var sorted = new ArrayList<>(new TreeSet<>(items));
            return switch (this) {
                case ASCENDING -> sorted;
                case DESCENDING -> sorted.reversed();
                case NEWEST_FIRST -> newestFirst(sorted);
                case NEWEST_FIRST_SHUFFLED_SECONDS -> newestFirst(shuffled(sorted, seed));
                case SHUFFLED -> shuffled(sorted, seed);
                case ORGAN_PIPE -> organPipe(sorted);
                case ALL_EQUAL -> sorted.isEmpty() ? sorted : Collections.nCopies(sorted.size(), sorted.getFirst());
                case TWICE ->
                    Stream.concat(sorted.stream(), shuffled(sorted, seed).stream())
                            .toList();
            };
        }

        private static List<Item> newestFirst(List<Item> items) {
            return items.stream()
                    .sorted(Comparator.comparingLong(Item::createdAt).reversed())
                    .toList();
        }

        private static List<Item> shuffled(List<Item> items, long seed) {
            var copy = new ArrayList<>(items);
            Collections.shuffle(copy, new Random(seed));
            return copy;
        }

        private static List<Item> organPipe(List<Item> sorted) {
            var up = IntStream.range(0, sorted.size()).filter(i -> i % 2 == 0).mapToObj(sorted::get);
            var down = IntStream.range(0, sorted.size()).filter(i -> i % 2 == 1).mapToObj(sorted::get);
            return Stream.concat(up, down.toList().reversed().stream()).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sealingIsSortingWithoutRepeats(Arrival arrival) {
        for (int size : new int[] {0, 1, 2, 3, 16, 17, 18, 100, 1000, 5000}) {
            for (long seconds : new long[] {1, 20, 1L << 53}) {
                long seed = SEED + size * 31L + seconds;
                var items = arrival.of(randomItems(size, seconds, seed), seed);
                assertEquals(
                        List.copyOf(new TreeSet<>(items)),
                        unpack(Item.seal(items)),
                        () -> "seed " + seed + " seconds " + seconds);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyItemsOfOneSecondAreSealedInAnyOrder(Arrival arrival) {
        var items = arrival.of(randomItems(100_000, 1, SEED), SEED);
        assertEquals(List.copyOf(new TreeSet<>(items)), unpack(Item.seal(items)), "seed " + SEED);
    }

    @Test
    void heapsortBehindQuicksortSortsToo() {
        var random = new SplittableRandom(SEED);
        for (int size = 0; size < 200; size++) {
            var rows = random.longs(size, 0, 50).toArray();
            var expected = rows.clone();
            Arrays.sort(expected);
            Rows.heapsort(rows, 1, 0, size);
            assertEquals(Arrays.toString(expected), Arrays.toString(rows), "seed " + SEED + " size " + size);
        }
    }

    @Test
    void fingerprintsOfRandomRangesEqualPassOverThem() {
        var random = new SplittableRandom(SEED);
        var sorted = List.copyOf(new TreeSet<>(randomItems(300, 50, SEED)));
        var fingerprints = new Fingerprints(Item.seal(sorted));
        for (int i = 0; i < 1000; i++) {
            int from = random.nextInt(sorted.size() + 1);
            int to = random.nextInt(from, sorted.size() + 1);
            assertEquals(
                    NaivePeer.fingerprint(sorted.subList(from, to)),
                    bytes(fingerprints.of(from, to)),
                    "seed " + SEED + " range " + from + " to " + to);
        }
    }

    @Test
    void lowerBoundIsFirstItemNotBelow() {
        var random = new SplittableRandom(SEED);
        var sorted = List.copyOf(new TreeSet<>(randomItems(300, 5, SEED)));
        var items = Item.seal(sorted);
        for (int i = 0; i < 1000; i++) {
            var sought = Item.random(random, 6);
            int expected = (int)
                    sorted.stream().filter(item -> item.compareTo(sought) < 0).count();
            assertEquals(
                    expected,
                    items.lowerBound(0, new Bound(sought.createdAt(), sought.id(), 32)),
                    "seed " + SEED + " sought " + sought);
        }
    }

    @Test
    void builderRefusesItemsBeyondItsLimit() {
        var builder = NegentropyItems.builder(0, 2);
        var random = new SplittableRandom(SEED);
        assertTrue(builder.add(1, Item.randomId(random)));
        assertTrue(builder.add(1, Item.randomId(random)));
        assertFalse(builder.add(1, Item.randomId(random)));
        assertEquals(2, builder.seal().size());
    }

    @Test
    void itemCostsAtMost48BytesWhateverWasExpected() {
        for (int expected : new int[] {0, 1000, 1_000_000}) {
            var builder = NegentropyItems.builder(expected, NegentropyItems.ITEMS_MAX);
            randomItems(1000, 1000, SEED).forEach(item -> builder.add(item.createdAt(), item.id()));
            var items = builder.seal();
            assertTrue(items.memoryBytes() <= 48 * 1000, () -> "expected " + expected + ": " + items.memoryBytes());
        }
    }

    @Test
    void latestTimeIsAcceptedAndNothingBeyond() {
        var builder = NegentropyItems.builder(1, 10);
        var id = new EventId(1, 2, 3, 4);
        builder.add(NegentropyItems.CREATED_AT_MAX, id);
        assertThrows(IllegalArgumentException.class, () -> builder.add(NegentropyItems.CREATED_AT_MAX + 1, id));
        assertThrows(IllegalArgumentException.class, () -> builder.add(-1, id));
        assertEquals(NegentropyItems.CREATED_AT_MAX, builder.seal().createdAt(0));
    }

    private static List<Item> randomItems(int count, long seconds, long seed) {
        var random = new SplittableRandom(seed);
        return Stream.generate(() -> Item.random(random, seconds)).limit(count).toList();
    }

    private static List<Item> unpack(NegentropyItems items) {
        return IntStream.range(0, items.size())
                .mapToObj(i -> new Item(items.createdAt(i), items.id(i)))
                .toList();
    }

    private static Bytes bytes(Fingerprint fingerprint) {
        return Bytes.wrap(ByteBuffer.allocate(16)
                .putLong(fingerprint.high())
                .putLong(fingerprint.low())
                .array());
    }
}
