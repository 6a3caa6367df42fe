package dev.grapnel.purgatory.hunt;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/// Whatever threads do at once to leases and queues has the results of some order in which they did it one by one.
///
/// By default under stress. Interleavings of a few steps are looked at one by one, which takes minutes, with
/// `-Dgrapnel.hunt.model=true -Dgrapnel.test.jvm="--add-opens=java.base/java.util=ALL-UNNAMED"`: Lincheck looks into
/// comparators of the JDK then.
final class HuntLincheckTest {
    private static final boolean IS_MODEL = Boolean.getBoolean("grapnel.hunt.model");

    private static void check(Class<?> operations) {
        assertDoesNotThrow(() -> {
            if (IS_MODEL) {
                new ModelCheckingOptions()
                        .iterations(5)
                        .invocationsPerIteration(300)
                        .threads(2)
                        .actorsPerThread(3)
                        .check(operations);
            } else {
                new StressOptions()
                        .iterations(8)
                        .invocationsPerIteration(500)
                        .threads(3)
                        .actorsPerThread(3)
                        .check(operations);
            }
        });
    }

    @Test
    void leasesAndDomainQueuesAreLinearizable() {
        check(ThrottleOperations.class);
    }

    @Test
    void queueOfIdentifiersIsLinearizable() {
        check(QueueOperations.class);
    }

    /// Each thread gives back only what it took, so that every operation is one step. Time stands still.
    public static final class ThrottleOperations {
        private static final Host A = new Host("a.example");

        private final Map<Integer, Queue<Lease>> leases = new ConcurrentHashMap<>();
        private final Map<Integer, Queue<Turn>> turns = new ConcurrentHashMap<>();
        private final ThreadLocal<List<Turn>> begun = ThreadLocal.withInitial(ArrayList::new);
        private final Throttle throttle = new Throttle(
                new HuntConfig.Limits(2, 6, List.of(), 3, 10),
                new Timeline(() -> Instant.EPOCH, () -> 0L),
                (_, _) -> () -> {},
                turn -> begun.get().add(turn),
                _ -> {});

        @Operation
        public boolean acquire(@Param(gen = ThreadIdGen.class) int thread) {
            var lease = throttle.tryAcquire(A);
            lease.ifPresent(one ->
                    leases.computeIfAbsent(thread, _ -> new ArrayDeque<>()).add(one));
            return lease.isPresent();
        }

        @Operation
        public String release(@Param(gen = ThreadIdGen.class) int thread) {
            var lease = leases.computeIfAbsent(thread, _ -> new ArrayDeque<>()).poll();
            return lease == null ? "none" : begun(thread, lease::release);
        }

        @Operation
        public String enqueue(
                @Param(gen = ThreadIdGen.class) int thread, @Param(gen = IntGen.class, conf = "0:2") int identifier) {
            return begun(thread, () -> throttle.enqueue(A, new Identifier("i" + identifier), Set.of()));
        }

        @Operation
        public String drop(@Param(gen = ThreadIdGen.class) int thread) {
            var turn = turns.computeIfAbsent(thread, _ -> new ArrayDeque<>()).poll();
            return turn == null ? "none" : begun(thread, () -> throttle.drop(turn));
        }

        @Operation
        public String leave(
                @Param(gen = ThreadIdGen.class) int thread, @Param(gen = IntGen.class, conf = "0:2") int identifier) {
            return begun(thread, () -> throttle.leave(new Identifier("i" + identifier)));
        }

        @Operation
        public int inFlight() {
            return throttle.inFlight();
        }

        /// The turns that a step begins.
        private String begun(int thread, Runnable work) {
            begun.get().clear();
            work.run();
            turns.computeIfAbsent(thread, _ -> new ArrayDeque<>()).addAll(begun.get());
            return begun.get().stream().map(turn -> turn.identifier().text()).collect(Collectors.joining(" "));
        }
    }

    /// As above, for attempts.
    public static final class QueueOperations {
        private final Map<Integer, Queue<HuntQueue.Start>> starts = new ConcurrentHashMap<>();
        private final HuntQueue queue = new HuntQueue(HuntConfig.DEFAULTS, new SplittableRandom(1));

        @Operation
        public long notice(@Param(gen = IntGen.class, conf = "0:2") int identifier) {
            return queue.notice(new Identifier("i" + identifier), Duration.ZERO, 0);
        }

        @Operation
        public String start(@Param(gen = ThreadIdGen.class) int thread) {
            var begun = queue.startDue(0);
            starts.computeIfAbsent(thread, _ -> new ArrayDeque<>()).addAll(begun);
            return begun.toString();
        }

        @Operation
        public String end(@Param(gen = ThreadIdGen.class) int thread, @Param(gen = BooleanGen.class) boolean isDone) {
            var start = starts.computeIfAbsent(thread, _ -> new ArrayDeque<>()).poll();
            return start == null
                    ? "none"
                    : queue.end(start, isDone ? HuntQueue.Left.NOTHING : HuntQueue.Left.EVENTS, 0)
                            .toString();
        }

        @Operation
        public boolean forget(@Param(gen = IntGen.class, conf = "0:2") int identifier) {
            return queue.forget(new Identifier("i" + identifier), 1);
        }

        @Operation
        public int size() {
            return queue.size();
        }
    }
}
