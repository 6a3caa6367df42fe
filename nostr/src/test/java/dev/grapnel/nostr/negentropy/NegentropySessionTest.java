package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole sessions of both roles.
final class NegentropySessionTest {
    private static final long SEED = 157;
    private static final int[] SIZES = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 100, 511, 512, 513, 1000, 3000};
    private static final double[] SHARES = {0, 0.01, 0.5, 1};

    /// The most one difference can add to one message: a Skip (44 bytes) and a list of 31 ids with its head
    /// (1041).
    private static final int BYTES_PER_DIFFERENCE = 1085;

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 60_000, 500_000})
    void randomDifferencesAreFoundWithinFrames(int frame) {
        for (int size : SIZES) {
            for (double share : SHARES) {
                reconcile(TwoSets.random(size, share, Math.max(1, size / 3), SEED + size), frame, frame);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 60_000, 500_000})
    void itemsOfOneSecondAreToldApart(int frame) {
        for (int size : SIZES) {
            reconcile(TwoSets.random(size, 0.1, 1, SEED + size), frame, frame);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 60_000, 500_000})
    void idsThatDifferInTheirLastByteAreToldApart(int frame) {
        for (int size : SIZES) {
            for (double share : SHARES) {
                reconcile(TwoSets.crowded(size, share, SEED + size), frame, frame);
            }
        }
    }

    @Test
    void framesOfTheTwoRolesMayDiffer() {
        var sets = TwoSets.random(3000, 0.2, 1000, SEED);
        reconcile(sets, 4096, 500_000);
        reconcile(sets, 60_000, 4096);
        reconcile(sets, 0, 4096);
        reconcile(sets, 4096, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 60_000, 500_000})
    void hundredThousandItemsAreReconciled(int frame) {
        for (double share : new double[] {0, 0.0001, 0.01}) {
            var sets = TwoSets.random(100_000, share, 1L << 31, SEED);
            var session = exchange(sets, frame, frame);
            session.assertFound(sets.left(), sets.right());
            assertRoundsWithin(roundsMax(sets, frame), session, sets);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4096, 60_000, 500_000})
    void emptyAndFullSetsAreReconciled(int frame) {
        var full = TwoSets.random(5000, 0, 1000, SEED).left();
        reconcile(new TwoSets(List.of(), List.of(), "empty against empty"), frame, frame);
        reconcile(new TwoSets(List.of(), full, "empty against full"), frame, frame);
        reconcile(new TwoSets(full, List.of(), "full against empty"), frame, frame);
        reconcile(new TwoSets(full, full, "equal"), frame, frame);
    }

    /// One byte of version and 122 ids are the first to pass 4096 less the reserve of 200.
    @Test
    void listIsCutByTheFirstIdThatPassesTheFrameLessItsReserve() {
        var full = TwoSets.random(500, 0, 1000, SEED).left();
        var session = exchange(new TwoSets(List.of(), full, "empty against full"), 0, 4096);
        var cut = NaivePeer.parse(session.answered.getFirst());
        assertEquals(122, cut.getFirst().ids().size());
        assertEquals(32, cut.getFirst().end().prefix().length());
        assertEquals(2, cut.size());
    }

    /// Sizes around the one at which a list just fills the frame, where nothing may follow the bound at infinity.
    @Test
    void listThatEndsAtInfinityMayFillTheFrame() {
        var all = TwoSets.random(250, 0, 1000, SEED).left();
        for (int size = 110; size < 130; size++) {
            reconcile(new TwoSets(List.of(), all.subList(0, size), "list of " + size), 4096, 4096);
        }
    }

    @Test
    void equalSetsNeedOneRound() {
        var sets = TwoSets.random(100_000, 0, 1L << 31, SEED);
        assertEquals(1, exchange(sets, 60_000, 500_000).rounds());
    }

    @Test
    void messagesWithoutFramesEqualThoseOfNaivePeer() {
        for (int size : SIZES) {
            for (double share : SHARES) {
                for (long seconds : new long[] {1, 10, 1L << 40}) {
                    assertSpeaksLikeNaivePeer(TwoSets.random(size, share, seconds, SEED + size));
                }
                assertSpeaksLikeNaivePeer(TwoSets.crowded(size, share, SEED + size));
            }
        }
    }

    private static void assertSpeaksLikeNaivePeer(TwoSets sets) {
        var initiator = new NaivePeer(sets.left(), true);
        var responder = new NaivePeer(sets.right(), false);
        var session = exchange(sets, 0, 0);
        var expected = new ArrayList<>(List.of(initiator.first()));
        session.forEachRound((asked, answered) -> {
            assertEquals(expected.getLast(), asked, sets::description);
            assertEquals(responder.answer(asked), answered, sets::description);
            expected.add(initiator.answer(answered));
        });
        assertEquals("61", expected.getLast().toHex(), sets::description);
        assertEquals(initiator.have, session.have, sets::description);
        assertEquals(initiator.need, session.need, sets::description);
    }

    private static void reconcile(TwoSets sets, int frameOfInitiator, int frame) {
        var session = exchange(sets, frameOfInitiator, frame);
        session.assertFound(sets.left(), sets.right());
        session.assertTruthful(sets.left(), sets.right());
        int smaller =
                frameOfInitiator == 0 || frame == 0 ? frameOfInitiator + frame : Math.min(frameOfInitiator, frame);
        assertRoundsWithin(roundsMax(sets, smaller), session, sets);
    }

    private static Session exchange(TwoSets sets, int frameOfInitiator, int frame) {
        var description = sets.description() + " frames " + frameOfInitiator + " and " + frame;
        return Session.run(Item.seal(sets.left()), frameOfInitiator, Item.seal(sets.right()), frame, description);
    }

    private static void assertRoundsWithin(int max, Session session, TwoSets sets) {
        assertTrue(session.rounds() <= max, () -> session.rounds() + " rounds, not " + max + ", " + sets.description());
    }

    /// Without a limit every message of the initiator divides its items in an open range by 16, until fewer than
    /// 32 are listed and the answer to the list ends the range: one round more than divisions.
    ///
    /// With a limit the leftmost open ranges are always served. As many differences as surely fit into one
    /// message are therefore resolved together: in that number of rounds and one more, because a rest that the
    /// initiator left over is divided by the responder's items first. Then the next ones follow.
    private static int roundsMax(TwoSets sets, int frame) {
        int rounds = 1;
        for (int size = sets.left().size(); size >= 32; size = (size + 15) / 16) {
            rounds++;
        }
        if (frame == 0) {
            return rounds;
        }
        int together = (frame - 200) / BYTES_PER_DIFFERENCE;
        return Math.max(1, Math.ceilDiv(sets.differences(), together)) * (rounds + 1);
    }
}
