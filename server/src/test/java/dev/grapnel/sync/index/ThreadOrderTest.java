package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Mutation.MemberServed;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.ScriptedPurgatory;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Which events are followed below a root depends on what is stored, not on the order in which it came: it is
/// what a walk finds that goes breadth first by (created_at, id), and what a restart finds (R3.22).
final class ThreadOrderTest {
    private static final int HISTORIES = 120;
    private static final IndexLimits LIMITS = new IndexLimits(20, 100, 100, 4, 4, 10_000, 100, 100);
    private static final RepositoryAddress REPOSITORY = Samples.repo(1, "a");
    private static final int ROOTS = 2;

    @Test
    void membersAreThoseOfAWalkBreadthFirstInWhateverOrderTheyCome() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var random = new Random(seed);
            var members = members(random);
            var expected = new TreeSet<EventId>();
            for (long root = 0; root < ROOTS; root++) {
                expected.addAll(walk(Samples.id(root), members));
            }
            var arrivals = new ArrayList<Mutation>(members);
            for (long root = 0; root < ROOTS; root++) {
                arrivals.add(Samples.root(root, REPOSITORY));
            }
            Collections.shuffle(arrivals, random);
            assertEquals(expected, fed(arrivals, random), "fed, seed " + seed);
            assertEquals(expected, found(arrivals), "restarted, seed " + seed);
        }
    }

    @Test
    void shorterWayThatComesLateLiftsEverybodyBelow() {
        var loop = new VirtualScheduler(Instant.EPOCH);
        var archive = new ScriptedArchive(loop);
        archive.serve(Samples.announced(REPOSITORY, 1), Samples.root(0, REPOSITORY), Samples.root(1, REPOSITORY));
        var index = started(LIMITS.with(20, 10), loop, archive);
        archive.serve(
                Samples.member(10, 1, 0),
                Samples.member(11, 1, 10),
                Samples.member(12, 1, 11),
                Samples.member(13, 1, 12, 20),
                Samples.member(14, 1, 13));
        loop.runFor(Duration.ofMinutes(10));
        assertFalse(members(index).contains(Samples.id(14)), "deeper than 4");
        archive.serve(Samples.member(20, 1, 10));
        loop.runFor(Duration.ofMinutes(10));
        assertTrue(members(index).contains(Samples.id(14)));
    }

    private static List<MemberServed> members(Random random) {
        var members = new ArrayList<MemberServed>();
        int size = 10 + random.nextInt(40);
        for (int i = 0; i < size; i++) {
            var events = new ArrayList<EventId>();
            var addresses = new ArrayList<String>();
            for (int refs = 1 + random.nextInt(2); refs > 0; refs--) {
                int to = random.nextInt(-ROOTS, i + 1);
                if (i == 0 || (to <= 0 && random.nextInt(3) == 0)) {
                    events.add(Samples.id(random.nextInt(ROOTS)));
                } else if (to > 0 && to % 7 == 0) {
                    addresses.add("30023:x:" + to);
                } else if (to > 0) {
                    events.add(Samples.id(100 + to));
                }
            }
            int number = i + 1;
            members.add(new MemberServed(
                    Samples.id(100 + number),
                    random.nextInt(5),
                    number % 7 == 0 ? Optional.of("30023:x:" + number) : Optional.empty(),
                    events.stream()
                            .filter(event -> !event.equals(Samples.id(100 + number)))
                            .toList(),
                    addresses));
        }
        return members;
    }

    /// R3.22 as it is written.
    private static Set<EventId> walk(EventId root, List<MemberServed> members) {
        var order = Comparator.comparingLong(MemberServed::createdAt).thenComparing(MemberServed::id);
        var heads = members.stream().filter(one -> one.events().contains(root)).toList();
        var followed = new TreeSet<EventId>();
        for (var head : heads) {
            followed.add(head.id());
            var branch = new ArrayList<MemberServed>();
            var level = List.of(head);
            for (int depth = 2; depth <= LIMITS.depthMax(); depth++) {
                var parents = level;
                var next = members.stream()
                        .filter(one -> !heads.contains(one) && !branch.contains(one))
                        .filter(one -> parents.stream().anyMatch(parent -> answers(one, parent)))
                        .sorted(order)
                        .limit(LIMITS.descendantsMax() - branch.size())
                        .toList();
                branch.addAll(next);
                level = next;
            }
            branch.forEach(one -> followed.add(one.id()));
        }
        return followed;
    }

    private static boolean answers(MemberServed one, MemberServed parent) {
        return one.events().contains(parent.id())
                || parent.address().filter(one.addresses()::contains).isPresent();
    }

    /// Served one after the other, with pauses.
    private static Set<EventId> fed(List<Mutation> arrivals, Random random) {
        var loop = new VirtualScheduler(Instant.EPOCH);
        var archive = new ScriptedArchive(loop).slices(1 + random.nextInt(5));
        archive.serve(Samples.announced(REPOSITORY, 1));
        var index = started(LIMITS, loop, archive);
        for (var arrival : arrivals) {
            archive.serve(arrival);
            loop.runFor(Duration.ofSeconds(random.nextInt(3)));
        }
        loop.runFor(Duration.ofMinutes(10));
        assertTrue(
                arrivals.stream()
                        .filter(MemberServed.class::isInstance)
                        .allMatch(member -> index.threads().isRight((MemberServed) member)),
                "the audit has nothing to mend");
        return members(index);
    }

    /// All there from the start.
    private static Set<EventId> found(List<Mutation> arrivals) {
        var loop = new VirtualScheduler(Instant.EPOCH);
        var archive = new ScriptedArchive(loop);
        archive.serve(Samples.announced(REPOSITORY, 1));
        archive.serve(arrivals.toArray(Mutation[]::new));
        var index = started(LIMITS, loop, archive);
        loop.runFor(Duration.ofMinutes(10));
        return members(index);
    }

    private static WantedIndex started(IndexLimits limits, VirtualScheduler loop, ScriptedArchive archive) {
        var index = new WantedIndex(limits, new HeapTables(), archive, new Random(1));
        new SelfFeed(
                        loop,
                        archive,
                        new ScriptedPurgatory(),
                        index,
                        FeedTimes.DEFAULTS,
                        new RecordedChanges(),
                        new ScriptedFiles(loop))
                .start();
        loop.settle();
        return index;
    }

    private static Set<EventId> members(WantedIndex index) {
        var found = new TreeSet<EventId>();
        int count = 0;
        for (long id = 0; id < ROOTS; id++) {
            int root = index.findRoot(Samples.id(id));
            var ofRoot = new TreeSet<EventId>();
            for (int place = 0; place < index.memberCount(root); place++) {
                int member = index.member(root, place);
                if (member >= 0) {
                    ofRoot.add(index.memberId(member));
                    count++;
                }
            }
            found.addAll(ofRoot);
            count -= ofRoot.size();
        }
        assertEquals(0, count, "nobody stands in a list twice");
        assertEquals(found.size(), index.figures().members());
        return found;
    }
}
