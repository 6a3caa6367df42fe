package dev.grapnel.sync.link;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Tasks that wait for their turn: by purpose, in the order of R3.14, and within a purpose as they came.
final class TaskQueues {
    private final Map<Purpose, Queue> queues = new EnumMap<>(Purpose.class);
    private long firstPlace;
    private long lastPlace;

    private record Waiting(long place, Task task) {}

    /// Tasks of one purpose. Requests by ids stand apart: comparisons may name so many that nobody looks through them
    /// whenever something changes, and if the first may not begin none may.
    private static final class Queue {
        private final Deque<Waiting> byIds = new ArrayDeque<>();
        private final Deque<Waiting> others = new ArrayDeque<>();

        private Deque<Waiting> of(Task task) {
            return task instanceof IdFetch ? byIds : others;
        }

        private Stream<Deque<Waiting>> both() {
            return Stream.of(byIds, others);
        }

        private Optional<Task> first(Predicate<Task> kind) {
            return Stream.concat(
                            byIds.stream().limit(1).filter(waiting -> kind.test(waiting.task())),
                            others.stream()
                                    .filter(waiting -> kind.test(waiting.task()))
                                    .limit(1))
                    .min(Comparator.comparingLong(Waiting::place))
                    .map(Waiting::task);
        }
    }

    TaskQueues() {
        for (var purpose : Purpose.values()) {
            queues.put(purpose, new Queue());
        }
    }

    private Deque<Waiting> of(Task task) {
        return Objects.requireNonNull(queues.get(task.batch().purpose()), "every purpose has a queue")
                .of(task);
    }

    void add(Task task) {
        of(task).add(new Waiting(++lastPlace, task));
    }

    void addFirst(Task task) {
        of(task).addFirst(new Waiting(--firstPlace, task));
    }

    void remove(Task task) {
        var queue = of(task);
        var first = queue.peek();
        if (first != null && first.task() == task) {
            queue.remove();
        } else {
            queue.removeIf(waiting -> waiting.task() == task);
        }
    }

    void clear() {
        all().forEach(Deque::clear);
    }

    private Stream<Deque<Waiting>> all() {
        return queues.values().stream().flatMap(Queue::both);
    }

    /// Takes out what is not needed any more.
    List<Task> take(Predicate<Task> which) {
        var taken =
                all().flatMap(Deque::stream).map(Waiting::task).filter(which).toList();
        all().forEach(queue -> queue.removeIf(waiting -> which.test(waiting.task())));
        return taken;
    }

    /// The first of the first purpose that has one.
    ///
    /// @param kinds tried one after the other for each purpose; of requests by ids only the first is looked at
    Optional<Task> first(List<Predicate<Task>> kinds) {
        for (var queue : queues.values()) {
            for (var kind : kinds) {
                var found = queue.first(kind);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }
}
