package dev.grapnel.bench.purgatory;

import com.sun.management.OperatingSystemMXBean;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Admission;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// What events cost about an identifier that hundreds of owners share who list each other: anybody can make one.
/// Signatures are checked and everything is stored.
final class Crowd {
    /// The repository in whose name everybody is.
    private static final int NAME = 0;

    private static final int WARMUPS = 100;
    private static final int EVENTS = 200;
    private static final Origin ORIGIN = new Origin.Direct(Set.of(), true);

    private final Shape shape;
    private final int size;
    private final Place place;
    private final Admission admission;
    private long second = Scene.BEGIN;

    /// Who lists whom, and what they are to the server.
    private enum Shape {
        SERVED("hosted, each lists the 100 around it", 50),
        SERVED_CHAIN("hosted, each lists the one before and the one behind", 1),
        HELD("waiting, each lists the 100 around it", 50),
        HELD_CHAIN("waiting, each lists the one before and the one behind", 1),
        REFERENCES("one waits, the others are references, each lists the one before and the one behind", 1);

        private final String words;
        private final int reach;

        Shape(String words, int reach) {
            this.words = words;
            this.reach = reach;
        }

        /// Every other version leaves somebody out.
        List<Integer> listedBy(int person, int size, boolean isLess) {
            boolean isRing = reach > 1;
            return IntStream.rangeClosed(person - reach, person + reach - (isLess && isRing ? 1 : 0))
                    .filter(other -> isRing || (other >= 0 && other < size))
                    .map(other -> Math.floorMod(other, size))
                    .filter(other -> other != person)
                    .distinct()
                    .boxed()
                    .toList();
        }

        boolean isServed() {
            return this == SERVED || this == SERVED_CHAIN;
        }
    }

    private Crowd(Shape shape, int size, Place place) {
        this.shape = shape;
        this.size = size;
        this.place = place;
        this.admission = place.admission(place.grasp());
    }

    static void print(Path directory) throws IOException {
        Report.line("%n## Events about an identifier of many owners, ms of CPU each%n");
        Report.line("| The owners | Owners | Announcement | State | Pull request | Comment |");
        Report.line("|---|--:|--:|--:|--:|--:|");
        for (var shape : Shape.values()) {
            for (int size : new int[] {100, 400, 800}) {
                try (var place = new Place(directory.resolve(shape + "-" + size))) {
                    place.load();
                    new Crowd(shape, size, place).print();
                }
            }
        }
    }

    private void print() {
        fill();
        var announcement = measure(i -> announcement(announcer(i), (i & 1) == 0));
        var state = shape == Shape.REFERENCES ? "" : measure(i -> Scene.state(i % size, NAME, ++second));
        var proposal = measure(i -> Scene.pullRequest(i % size, NAME, ++second));
        var comment = shape.isServed() ? measure(i -> Scene.comment(i % size, NAME, ++second)) : "";
        Report.line("| %s | %d | %s | %s | %s | %s |", shape.words, size, announcement, state, proposal, comment);
    }

    /// A reference at the end of the chain hangs on all others.
    private int announcer(int number) {
        return shape == Shape.REFERENCES ? size - 1 - number % 2 : number % size;
    }

    private Event announcement(int person, boolean isLess) {
        var listed = shape.listedBy(person, size, isLess);
        return isReference(person)
                ? Scene.reference(person, Scene.identifier(NAME).text(), ++second, listed)
                : Scene.announcement(person, Scene.identifier(NAME).text(), ++second, listed);
    }

    private boolean isReference(int person) {
        return shape == Shape.REFERENCES && person > 0;
    }

    private void fill() {
        var events = new ArrayList<Event>();
        for (int person = 0; person < size; person++) {
            events.add(announcement(person, false));
        }
        var states = IntStream.range(0, shape.isServed() ? 0 : size / 10)
                .mapToObj(i -> Scene.state(i * 10, NAME, ++second))
                .toList();
        place.store()
                .write(Urgency.WAITING, 0, transaction -> {
                    for (int person = 0; person < size; person++) {
                        put(person, events.get(person), transaction);
                    }
                    var now = Instant.now();
                    states.forEach(state -> transaction.hold(
                            new HeldState(state, now, now.plus(Duration.ofMinutes(30)), Source.DIRECT)));
                    return true;
                })
                .join();
    }

    private void put(int person, Event event, StoreTransaction transaction) {
        var now = Instant.now();
        if (shape.isServed()) {
            transaction.put(Standing.hosted(new RepositoryAddress(event.author(), Scene.identifier(NAME)), now));
            transaction.save(event);
        } else {
            var phase = isReference(person) ? Phase.REFERENCE : Phase.ACTIVE;
            transaction.hold(new HeldAnnouncement(event, now, now.plus(Duration.ofMinutes(30)), Source.DIRECT, phase));
        }
    }

    /// The CPU of all threads, because signatures, judging and writing have different ones.
    private String measure(IntFunction<Event> maker) {
        var events = IntStream.range(0, WARMUPS + EVENTS).mapToObj(maker).toList();
        var lane = new Lane();
        events.subList(0, WARMUPS).forEach(event -> admit(lane, event));
        long begin = cpu();
        events.subList(WARMUPS, events.size()).forEach(event -> admit(lane, event));
        return String.format(Locale.ROOT, "%.2f", (cpu() - begin) / 1e6 / EVENTS);
    }

    private void admit(Lane lane, Event event) {
        var answer = new CompletableFuture<String>();
        admission.admit(lane, event, ORIGIN, (admitted, problem) -> {
            if (admitted != null && admitted.isAccepted()) {
                answer.complete(admitted.message());
            } else {
                answer.completeExceptionally(new IllegalStateException("not taken: " + admitted, problem));
            }
        });
        answer.join();
    }

    private static long cpu() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
