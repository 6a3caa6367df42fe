package dev.grapnel.sync.received;

import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// Looks at what became visible, batch by batch, and at all that it mentions (R7.21). That may be 25,000 things for
/// each event, so each turn of the loop has a budget. Whoever brings batches waits until one was looked at, so there is
/// not more than one for each of them.
final class Appearing {
    /// What a turn may cost, as [Appearance#cost].
    static final int TURN_MAX = 8_000;

    private final Scheduler loop;
    private final Predicate<Appearance> begin;
    private final ToIntFunction<String> mention;
    private final Runnable act;
    private final Deque<Batch> batches = new ArrayDeque<>();
    private Iterator<String> mentions = Collections.emptyIterator();
    private boolean isRunning;
    private boolean isPosted;

    /// @param done run when all of it was looked at
    private record Batch(Iterator<Appearance> events, Runnable done) {}

    /// @param begin looks at the event itself; whether its mentions are to be looked at
    /// @param mention looks at something mentioned, and tells what that has cost besides
    /// @param act acts upon what was found, at the end of each turn and before a batch is done
    Appearing(Scheduler loop, Predicate<Appearance> begin, ToIntFunction<String> mention, Runnable act) {
        this.loop = loop;
        this.begin = begin;
        this.mention = mention;
        this.act = act;
    }

    /// Adds a batch, and begins with it unless others come first.
    void add(List<Appearance> events, Runnable done) {
        batches.add(new Batch(events.iterator(), done));
        if (!isRunning && !isPosted) {
            run();
        }
    }

    /// Nothing more is looked at.
    void stop() {
        batches.clear();
        mentions = Collections.emptyIterator();
    }

    private void run() {
        isRunning = true;
        try {
            int budget = TURN_MAX;
            while (budget > 0 && !batches.isEmpty()) {
                budget -= look(batches.element());
            }
            act.run();
        } finally { // what fails must not be the last that is looked at
            isRunning = false;
            if (!batches.isEmpty()) {
                isPosted = true;
                loop.post(this::goOn);
            }
        }
    }

    private void goOn() {
        isPosted = false;
        run();
    }

    private int look(Batch batch) {
        if (mentions.hasNext()) {
            var value = mentions.next();
            return Appearance.cost(value) + mention.applyAsInt(value);
        }
        if (batch.events().hasNext()) {
            var event = batch.events().next();
            if (begin.test(event)) {
                mentions = event.mentions().iterator();
            }
            return Appearance.EVENT_COST;
        }
        batches.remove();
        try {
            act.run();
        } finally {
            batch.done().run();
        }
        return 1;
    }
}
