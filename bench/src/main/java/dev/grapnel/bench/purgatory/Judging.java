package dev.grapnel.bench.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.AcceptancePolicy;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.store.EventStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the rules need to decide about an event, beside what its signature and the store need.
final class Judging {
    private static final int EVENTS = 2_000;
    private static final int WARMUPS = 30;
    private static final int ROUNDS = 15;
    private static final Origin ORIGIN = new Origin.Direct(Set.of(), true);

    private final EventStore store;
    private final AcceptancePolicy policy;
    private final int repositories;

    Judging(EventStore store, AcceptancePolicy policy, int repositories) {
        this.store = store;
        this.policy = policy;
        this.repositories = repositories;
    }

    private Map<String, IntFunction<Event>> shapes() {
        long later = Scene.BEGIN + 1_000_000;
        int step = Math.max(1, repositories / EVENTS);
        int stranger = Scene.PEOPLE + 1;
        var shapes = new LinkedHashMap<String, IntFunction<Event>>();
        shapes.put("comment on a repository", i -> Scene.comment(i, i * step, later + i));
        shapes.put("state of the owner", i -> Scene.state(Scene.ownerOf(i * step), i * step, later + i));
        shapes.put("state of a stranger, refused", i -> Scene.state(stranger, i * step, later + i));
        shapes.put("newer announcement of a repository", i -> Scene.announcement(i * step, later + i, List.of()));
        shapes.put("announcement of a new one", i -> Scene.announcement(repositories + i, later + i, List.of()));
        shapes.put("pull request", i -> Scene.pullRequest(stranger, i * step, later + i));
        shapes.put("unrelated, refused", i -> Scene.unrelated(i, later + i));
        return shapes;
    }

    void print() {
        Report.line("%n## Judging, %,d served repositories%n", repositories);
        Report.line("| Event | Judging, µs of CPU | Its signature, µs | Ratio | Verdict |%n|---|--:|--:|--:|---|");
        shapes().forEach(this::measure);
    }

    private void measure(String name, IntFunction<Event> maker) {
        var events = IntStream.range(0, EVENTS).parallel().mapToObj(maker).collect(Collectors.toList());
        Collections.shuffle(events, new Random(3));
        var judging = Rounds.of(WARMUPS, ROUNDS, () -> judge(events));
        var signature = Rounds.of(1, 5, () -> verify(events));
        Report.line(
                "| %s | %s | %s | %.2f | %s |",
                name,
                judging.shown(1),
                signature.shown(1),
                judging.median() / signature.median(),
                verdict(events.getFirst()).getClass().getSimpleName());
    }

    private Verdict verdict(Event event) {
        var arrival = new Arrival(event, ORIGIN);
        return store.read(view -> policy.judge(arrival, view));
    }

    private double judge(List<Event> events) {
        int effects = 0;
        long begin = Report.cpuNanos();
        for (var event : events) {
            effects += verdict(event) instanceof Verdict.Keep ? 1 : 0;
        }
        return micros(begin, events.size()) + (effects < 0 ? 1 : 0);
    }

    private static double verify(List<Event> events) {
        long begin = Report.cpuNanos();
        for (var event : events) {
            if (!event.isSigned()) {
                throw new IllegalStateException("badly signed: " + event);
            }
        }
        return micros(begin, events.size());
    }

    private static double micros(long begin, int count) {
        return (Report.cpuNanos() - begin) / 1e3 / count;
    }
}
