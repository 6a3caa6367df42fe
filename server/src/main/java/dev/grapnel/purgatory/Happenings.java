package dev.grapnel.purgatory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has happened in transactions that are not durable yet; told when they are. Used by the writer
/// alone.
public final class Happenings {
    private static final Logger LOG = LoggerFactory.getLogger(Happenings.class);

    private final Consumer<Happening> listener;
    private final List<Happening> waiting = new ArrayList<>();
    private int workBegan;

    public Happenings(Consumer<Happening> listener) {
        this.listener = listener;
    }

    /// Notes something inside a work.
    public void note(Happening happening) {
        waiting.add(happening);
    }

    /// What the present work has noted so far.
    List<Happening> ofThisWork() {
        return List.copyOf(waiting.subList(workBegan, waiting.size()));
    }

    void endWork() {
        workBegan = waiting.size();
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
    }
}
