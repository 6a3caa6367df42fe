package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has happened in transactions that are not durable yet; told when they are. Used by the writer
/// alone.
public final class Happenings {
    private static final Logger LOG = LoggerFactory.getLogger(Happenings.class);

    private final Consumer<Happening> listener;
    private final List<Happening> waiting = new ArrayList<>();
    private int workBegan;
    private ReleasePath path = ReleasePath.MEMBERSHIP;

    public Happenings(Consumer<Happening> listener) {
        this.listener = listener;
    }

    /// Notes something inside a work.
    public void note(Happening happening) {
        waiting.add(happening);
    }

    /// Says on which path the present work lets go of what waits. Who says nothing has changed, at most, who
    /// belongs to whom.
    public void releasingBy(ReleasePath path) {
        this.path = path;
    }

    /// What let go of what the present work releases.
    ReleasePath path() {
        return path;
    }

    /// What the present work has noted so far.
    List<Happening> ofThisWork() {
        return List.copyOf(waiting.subList(workBegan, waiting.size()));
    }

    /// The identifiers of what the works since the last commit hold: whoever published it asks for a look at them.
    Set<Identifier> arrived() {
        return waiting.stream()
                .flatMap(happening ->
                        happening instanceof Happening.NowHeld(var row) ? row.identifiers().stream() : Stream.empty())
                .collect(Collectors.toSet());
    }

    void endWork() {
        workBegan = waiting.size();
        path = ReleasePath.MEMBERSHIP;
    }

    void publish() {
        var told = List.copyOf(waiting);
        forget();
        for (var happening : told) {
            try {
                listener.accept(happening);
            } catch (RuntimeException e) { // what happened is stored, whatever listeners make of it
                LOG.error("not told happening={}", happening.getClass().getSimpleName(), e);
            }
        }
    }

    void forget() {
        waiting.clear();
        workBegan = 0;
        path = ReleasePath.MEMBERSHIP;
    }
}
