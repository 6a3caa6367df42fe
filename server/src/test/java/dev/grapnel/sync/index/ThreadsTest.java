package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ThreadsTest {
    private static final RepositoryAddress A = Samples.repo(1, "a");
    private static final long ROOT = 1;

    private final ScriptedArchive archive = new ScriptedArchive(new VirtualScheduler(Instant.EPOCH));
    private final RecordedChanges changes = new RecordedChanges();
    private WantedIndex index = index(IndexLimits.DEFAULTS);

    private WantedIndex index(IndexLimits limits) {
        var made = new WantedIndex(limits, new HeapTables(), archive, new Random(1));
        made.apply(List.of(Samples.announced(A, 1), Samples.root(ROOT, A)), changes);
        changes.forget();
        return made;
    }

    private static IndexLimits limits(int descendants, int depth, int members) {
        return new IndexLimits(20, 100, 100, descendants, depth, members, 10, 100);
    }

    private void apply(Mutation... window) {
        changes.forget();
        index.apply(List.of(window), changes);
    }

    private Set<EventId> members() {
        return members(ROOT);
    }

    private Set<EventId> members(long rootId) {
        int root = index.findRoot(Samples.id(rootId));
        var found = new ArrayList<EventId>();
        for (int place = 0; place < index.memberCount(root); place++) {
            int member = index.member(root, place);
            if (member >= 0) {
                found.add(index.memberId(member));
            }
        }
        assertEquals(found.size(), Set.copyOf(found).size(), "nobody stands there twice");
        return new TreeSet<>(found);
    }

    private static Set<EventId> ids(long... numbers) {
        return Arrays.stream(numbers).mapToObj(Samples::id).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void replyToACommentIsAMember() {
        apply(Samples.member(2, 10, ROOT));
        apply(Samples.member(3, 11, 2));
        assertEquals(ids(2, 3), members());
        assertEquals(Set.of(index.findRoot(Samples.id(ROOT))), changes.threads);
    }

    @Test
    void parentsAreTakenFirstWhateverTheOrder() {
        apply(
                Samples.member(5, 13, 4),
                Samples.member(4, 12, 3),
                Samples.member(3, 11, 2),
                Samples.member(2, 10, ROOT));
        assertEquals(ids(2, 3, 4, 5), members());
    }

    @Test
    void answerToAnAddressIsAMember() {
        apply(Samples.addressed(2, "30023:x:y", ROOT));
        apply(Samples.toAddress(3, "30023:x:y"));
        assertEquals(ids(2, 3), members());
        int root = index.findRoot(Samples.id(ROOT));
        assertEquals(Optional.of("30023:x:y"), index.memberAddress(index.member(root, 0)));
    }

    @Test
    void newVersionOfAnAddressableMemberTakesItsAddress() {
        apply(Samples.addressed(2, "30023:x:y", ROOT));
        apply(Samples.addressed(3, "30023:x:y", ROOT), Samples.left(2));
        apply(Samples.toAddress(4, "30023:x:y"));
        assertEquals(ids(3, 4), members());
    }

    @Test
    void depthNineIsNotFollowed() {
        for (long number = 2; number < 20; number++) {
            apply(Samples.member(number, number, number - 1));
        }
        assertEquals(ids(2, 3, 4, 5, 6, 7, 8, 9), members());
    }

    @Test
    void memberFiveHundredAndOneOfABranchIsNotFollowed() {
        apply(Samples.member(2, 1, ROOT), Samples.member(3, 1, ROOT));
        for (long number = 0; number < 501; number++) {
            apply(Samples.member(1000 + number, 1000 + number, 2));
        }
        assertEquals(502, members().size());
        assertFalse(members().contains(Samples.id(1500)));
        apply(Samples.member(4, 9999, 3));
        assertTrue(members().contains(Samples.id(4)), "another branch has room");
    }

    @Test
    void olderOneThatComesLateTakesThePlaceOfTheLast() {
        index = index(limits(2, 8, 100));
        apply(Samples.member(2, 1, ROOT), Samples.member(3, 30, 2), Samples.member(4, 40, 2));
        apply(Samples.member(5, 20, 2));
        assertEquals(ids(2, 3, 5), members());
        int root = index.findRoot(Samples.id(ROOT));
        assertEquals(4, index.memberCount(root), "the replaced one is a gap");
        assertEquals(Set.of(root), changes.threads);
        apply(Samples.member(6, 31, 2));
        apply(Samples.member(7, 25, 5));
        assertEquals(ids(2, 3, 5), members(), "breadth first, then by date, then by id");
    }

    @Test
    void tieOfDatesIsDecidedById() {
        index = index(limits(1, 8, 100));
        var lower = Samples.id(3).compareTo(Samples.id(4)) < 0 ? 3 : 4;
        apply(Samples.member(2, 1, ROOT), Samples.member(7 - lower, 30, 2));
        apply(Samples.member(lower, 30, 2));
        assertEquals(ids(2, lower), members());
    }

    @Test
    void directAnswersAreNotCounted() {
        index = index(limits(1, 8, 1000));
        for (long number = 2; number < 100; number++) {
            apply(Samples.member(number, number, ROOT, number - 1));
        }
        assertEquals(98, members().size());
    }

    @Test
    void descendantsOfADeletedMemberStay() {
        apply(Samples.member(2, 10, ROOT), Samples.member(3, 11, 2), Samples.member(4, 12, 3));
        apply(Samples.left(3));
        assertEquals(ids(2, 4), members());
        assertEquals(Set.of(index.findRoot(Samples.id(ROOT))), changes.threads);
        apply(Samples.member(5, 13, 3));
        assertEquals(ids(2, 4), members(), "answers to what is gone are not followed");
        assertEquals(2, index.figures().members());
    }

    @Test
    void descendantsOfADeletedRootStay() {
        apply(Samples.member(2, 10, ROOT), Samples.member(3, 11, 2));
        apply(Samples.left(ROOT));
        apply(Samples.member(4, 12, 3), Samples.member(5, 13, ROOT));
        assertEquals(ids(2, 3, 4), members());
        assertEquals(
                Set.of(
                        "STATE " + A,
                        "TAGS " + A,
                        "THREAD " + Samples.id(2),
                        "THREAD " + Samples.id(3),
                        "THREAD " + Samples.id(4)),
                Picture.of(index).of(1));
    }

    @Test
    void memberThatReturnsHasANewPlace() {
        apply(Samples.member(2, 10, ROOT), Samples.member(3, 11, 2));
        apply(Samples.left(2), Samples.left(3));
        assertEquals(0, index.figures().members());
        apply(Samples.member(2, 10, ROOT), Samples.member(3, 11, 2));
        assertEquals(ids(2, 3), members());
        assertEquals(4, index.memberCount(index.findRoot(Samples.id(ROOT))));
        assertEquals(2, index.figures().members());
    }

    @Test
    void memberMayBelongToSeveralRoots() {
        apply(Samples.root(100, A), Samples.member(2, 10, ROOT, 100), Samples.member(3, 11, 2));
        assertEquals(ids(2, 3), members(ROOT));
        assertEquals(ids(2, 3), members(100));
        assertEquals(2, index.figures().members());
        apply(Samples.left(3));
        assertEquals(2, changes.threads.size());
    }

    @Test
    void membersBeyondTheLimitAreCountedAndNotFollowed() {
        index = index(limits(10, 8, 2));
        apply(Samples.member(2, 10, ROOT), Samples.member(3, 11, 2), Samples.member(4, 12, ROOT));
        assertEquals(ids(2, 3), members());
        assertTrue(index.figures().refusedMembers() > 0);
    }

    @Test
    void addressesBeyondTheLimitAreNotFollowed() {
        index = index(new IndexLimits(20, 100, 100, 10, 8, 100, 1, 100));
        apply(Samples.addressed(2, "30023:x:1", ROOT), Samples.addressed(3, "30023:x:2", ROOT));
        apply(Samples.toAddress(4, "30023:x:1"), Samples.toAddress(5, "30023:x:2"));
        assertEquals(ids(2, 3, 4), members());
    }

    /// Serves so many more roots, and a comment that tags them all.
    private Mutation.MemberServed commentOn(int count) {
        var roots = LongStream.range(10_000, 10_000 + count).toArray();
        for (long root : roots) {
            apply(Samples.root(root, A));
        }
        var comment = Samples.member(2, 10, roots);
        apply(comment);
        return comment;
    }

    private int placesBelow(int count) {
        return IntStream.range(0, count).map(n -> members(10_000 + n).size()).sum();
    }

    @Test
    void answerStandsInSixtyFourPlacesAtMost() {
        var comment = commentOn(150);
        assertEquals(64, placesBelow(150));
        var reply = Samples.member(3, 11, 2);
        apply(reply);
        apply(Samples.member(4, 12, 2, 3));
        assertEquals(3 * 64, placesBelow(150));
        apply(Samples.left(2), Samples.left(3));
        apply(comment, reply);
        assertEquals(3 * 64, placesBelow(150));
        assertTrue(index.threads().isRight(comment) && index.threads().isRight(reply), "nothing to mend");
    }

    @Test
    void placesBeyondTheLimitOfMembersAreCountedAndNotTaken() {
        index = index(limits(500, 8, 200));
        commentOn(60);
        for (long number = 100; number < 110; number++) {
            apply(Samples.member(number, number, 2));
        }
        assertTrue(placesBelow(60) <= 60 + 200, () -> placesBelow(60) + " places");
        assertTrue(index.figures().refusedMembers() > 0);
    }

    @Test
    void answerToNothingFollowedIsIgnored() {
        apply(Samples.member(2, 10, 77), Samples.member(3, 10));
        assertEquals(Set.of(), members());
        assertEquals(Set.of(), changes.threads);
    }
}
