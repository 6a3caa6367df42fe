package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Reconciles two sets of a million items, of which each side has one in a hundred alone, with the default limits of
/// both
/// roles. No JMH: one session takes long enough, and what counts is the time of each side apart.
public final class NegentropyBench {
    private static final int SIZE = 1_000_000;
    private static final int ALONE = SIZE / 100;
    private static final int SECONDS = 365 * 24 * 3600;
    private static final int WARMUPS = 5;

    private final List<Item> ours = new ArrayList<>();
    private final List<Item> theirs = new ArrayList<>();

    private NegentropyBench() {
        var random = new SplittableRandom(77);
        for (int i = 0; i < SIZE + ALONE; i++) {
            var id = new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            var item = new Item(random.nextInt(SECONDS), id);
            if (i >= ALONE) {
                ours.add(item);
            }
            if (i < SIZE) {
                theirs.add(item);
            }
        }
    }

    /// Runs the session.
    ///
    /// @param args how often it is measured
    public static void main(String[] args) {
        var bench = new NegentropyBench();
        for (int i = 0; i < WARMUPS; i++) {
            bench.session();
        }
        var sessions = new ArrayList<Session>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            sessions.add(bench.session());
        }
        System.out.printf(
                Locale.ROOT,
                "%nNegentropyBench, %,d items a side, %,d of them alone, %d sessions%n%n",
                SIZE,
                ALONE,
                sessions.size());
        System.out.println("| Measure | Median | Least | Most |\n|---|--:|--:|--:|");
        print("rounds", sessions, Session::rounds);
        print("bytes sent by the initiator", sessions, Session::asked);
        print("bytes sent by the responder", sessions, Session::answered);
        print("CPU of the initiator, us", sessions, session -> session.initiator() / 1000);
        print("CPU of the responder, us", sessions, session -> session.responder() / 1000);
        print("CPU of building one sorted set, us", sessions, session -> session.building() / 1000);
        print("bytes of memory per item", sessions, Session::memory);
    }

    private static void print(String name, List<Session> sessions, ToLongFunction<Session> measure) {
        var sorted = sessions.stream().mapToLong(measure).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %,d | %,d |%n",
                name,
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private Session session() {
        var clock = new CpuClock();
        var mine = set(ours);
        var building = new CpuClock();
        var responding = building.time(() -> set(theirs));
        var initiator = new NegentropyInitiator(mine, NegentropyLimits.DEFAULTS);
        var responder = new NegentropyResponder(responding, NegentropyResponder.FRAME_BYTES_DEFAULT);
        var answering = new CpuClock();
        var message = clock.time(initiator::first);
        int rounds = 0;
        long asked = 0;
        long answered = 0;
        int have = 0;
        int need = 0;
        while (true) {
            rounds++;
            asked += message.length();
            var answer = answer(answering, responder, message);
            answered += answer.length();
            switch (clock.time(() -> initiator.next(answer))) {
                case NegentropyStep.Continue(var next, var haveMore, var needMore) -> {
                    have += haveMore.size();
                    need += needMore.size();
                    message = next;
                }
                case NegentropyStep.Complete(var haveMore, var needMore) -> {
                    requireAll(have + haveMore.size(), need + needMore.size());
                    long memory = mine.memoryBytes() / mine.size();
                    return new Session(rounds, asked, answered, clock.nanos, answering.nanos, building.nanos, memory);
                }
                case NegentropyStep.Exceeded step ->
                    throw new IllegalStateException(step.limit().toString());
                case NegentropyStep.Invalid(var reason) -> throw new IllegalStateException(reason);
                case NegentropyStep.UnsupportedVersion step -> throw new IllegalStateException(step.toString());
            }
        }
    }

    private static Bytes answer(CpuClock clock, NegentropyResponder responder, Bytes message) {
        return clock.time(() -> responder.respond(message)).require();
    }

    private static void requireAll(int have, int need) {
        if (have != ALONE || need != ALONE) {
            throw new IllegalStateException("found " + have + " and " + need + " instead of " + ALONE);
        }
    }

    private static NegentropyItems set(List<Item> items) {
        var builder = NegentropyItems.builder(items.size(), items.size());
        items.forEach(item -> builder.add(item.createdAt, item.id));
        return builder.seal();
    }

    private record Item(long createdAt, EventId id) {}

    private record Session(
            long rounds, long asked, long answered, long initiator, long responder, long building, long memory) {}

    /// Adds up what the thread spends on something, whatever else the machine does meanwhile.
    private static final class CpuClock {
        private long nanos;

        <T> T time(Supplier<T> work) {
            var threads = ManagementFactory.getThreadMXBean();
            long start = threads.getCurrentThreadCpuTime();
            var result = work.get();
            nanos += threads.getCurrentThreadCpuTime() - start;
            return result;
        }
    }
}
