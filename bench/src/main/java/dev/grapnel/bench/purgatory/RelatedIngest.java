package dev.grapnel.bench.purgatory;

import com.sun.management.OperatingSystemMXBean;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.AcceptancePolicy;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Comments on repositories given to the rules of a GRASP relay and to a relay that takes everything, signatures
/// checked and all of them stored. In turns: who goes first and who has which of two equal stores changes, so that
/// neither the device nor a file favours one. The same against itself says how much chance there is in it.
final class RelatedIngest {
    private static final int LANES = 8;
    private static final int UNANSWERED = 64;
    private static final int BATCH = 4_000;
    private static final int WARMUPS = 4;
    private static final int ROUNDS = 16;
    private static final Origin ORIGIN = new Origin.Direct(Set.of(), true);

    private final Place one;
    private final Place other;
    private final int repositories;
    private int batches;

    /// One batch: how many a second, and what each took of all cores.
    private record Speed(double perSecond, double cpuMicros) {}

    private RelatedIngest(Place one, Place other, int repositories) {
        this.one = one;
        this.other = other;
        this.repositories = repositories;
    }

    static void print(Path directory, int repositories) throws IOException, InterruptedException {
        var population = new Population(repositories, 0, 0, 0, 0, 0);
        try (var one = new Place(directory.resolve("one"));
                var other = new Place(directory.resolve("other"))) {
            population.fill(one.store());
            population.fill(other.store());
            var ingest = new RelatedIngest(one.load(), other.load(), repositories);
            Report.line("%n## Ingest of comments, %,d repositories, in turns%n", repositories);
            Report.line("| | events/s | CPU, µs | against everything taken: events/s | CPU |%n|---|--:|--:|--:|--:|");
            ingest.compare("GRASP's rules", Place::grasp);
            ingest.compare("everything is taken, against itself", _ -> AcceptancePolicy.ANYTHING);
        }
    }

    private void compare(String name, Function<Place, AcceptancePolicy> judged) throws InterruptedException {
        var ours = new ArrayList<Speed>();
        var theirs = new ArrayList<Speed>();
        for (int round = 0; round < WARMUPS + ROUNDS; round++) {
            var events = comments();
            var ourPlace = round % 4 < 2 ? one : other;
            var theirPlace = round % 4 < 2 ? other : one;
            var our = ourPlace.admission(judged.apply(ourPlace));
            var their = theirPlace.admission(AcceptancePolicy.ANYTHING);
            boolean isFirst = round % 2 == 0;
            var first = measure(isFirst ? our : their, events);
            var second = measure(isFirst ? their : our, events);
            if (round >= WARMUPS) {
                ours.add(isFirst ? first : second);
                theirs.add(isFirst ? second : first);
            }
        }
        Report.line(
                "| %s | %s | %s | %s | %s |",
                name,
                all(ours, Speed::perSecond).shown(0),
                all(ours, Speed::cpuMicros).shown(0),
                ratios(ours, theirs, Speed::perSecond).shown(2),
                ratios(ours, theirs, Speed::cpuMicros).shown(2));
    }

    private static Rounds all(List<Speed> speeds, ToDoubleFunction<Speed> what) {
        return Rounds.of(speeds.stream().mapToDouble(what).toArray());
    }

    private static Rounds ratios(List<Speed> ours, List<Speed> theirs, ToDoubleFunction<Speed> what) {
        return Rounds.of(IntStream.range(0, ours.size())
                .mapToDouble(i -> what.applyAsDouble(ours.get(i)) / what.applyAsDouble(theirs.get(i)))
                .toArray());
    }

    private List<Event> comments() {
        int batch = batches++;
        return IntStream.range(0, BATCH)
                .parallel()
                .mapToObj(i -> Scene.comment(
                        i % 500, (batch * 7_919 + i * 31) % repositories, Scene.BEGIN + (long) batch * BATCH + i))
                .toList();
    }

    private static Speed measure(Admission admission, List<Event> events) throws InterruptedException {
        var lanes = new ArrayList<Thread>();
        long cpu = processCpu();
        long begin = System.nanoTime();
        for (int number = 0; number < LANES; number++) {
            int from = number;
            lanes.add(Thread.ofVirtual().start(() -> send(admission, events, from)));
        }
        for (var lane : lanes) {
            lane.join();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Speed(events.size() / seconds, (processCpu() - cpu) / 1e3 / events.size());
    }

    private static long processCpu() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getProcessCpuTime();
    }

    private static void send(Admission admission, List<Event> events, int from) {
        var lane = new Lane();
        var room = new Semaphore(UNANSWERED);
        for (int i = from; i < events.size(); i += LANES) {
            var event = events.get(i);
            room.acquireUninterruptibly();
            admission.admit(lane, event, ORIGIN, (admitted, problem) -> {
                if (admitted == null || !admitted.message().isEmpty()) {
                    throw new IllegalStateException("not taken: " + admitted, problem);
                }
                room.release();
            });
        }
        room.acquireUninterruptibly(UNANSWERED);
    }
}
