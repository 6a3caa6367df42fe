package dev.grapnel.sync.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/// Tasks that wait for their turn: by purpose, in the order of R3.14, and within a purpose as they came.
final class TaskQueues {
    private final Map<Purpose, Deque<Task>> queues = new EnumMap<>(Purpose.class);

    TaskQueues() {
        for (var purpose : Purpose.values()) {
            queues.put(purpose, new ArrayDeque<>());
        }
    }

    private Deque<Task> of(Task task) {
        return Objects.requireNonNull(queues.get(task.batch().purpose()), "every purpose has a queue");
    }

    void add(Task task) {
        of(task).add(task);
    }

    void addFirst(Task task) {
        of(task).addFirst(task);
    }

    void remove(Task task) {
        of(task).remove(task);
    }

    void clear() {
        queues.values().forEach(Deque::clear);
    }

    /// Takes out what is not needed any more.
    List<Task> take(Predicate<Task> which) {
        var taken =
                queues.values().stream().flatMap(Deque::stream).filter(which).toList();
        queues.values().forEach(queue -> queue.removeIf(which));
        return taken;
    }

    /// The first of the first purpose that has one.
    ///
    /// @param kinds tried one after the other for each purpose
    Optional<Task> first(List<Predicate<Task>> kinds) {
        for (var queue : queues.values()) {
            for (var kind : kinds) {
                var found = queue.stream().filter(kind).findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }
}
