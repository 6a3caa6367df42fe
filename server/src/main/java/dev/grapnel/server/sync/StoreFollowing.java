package dev.grapnel.server.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.Change;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Archive.Follower;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the store's commits for the loop, on a thread of its own, with one batch on its way at a time (R1.10). A
/// batch is bounded by what its events mention, too, which may be 25,000 things each.
final class StoreFollowing {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFollowing.class);
    private static final int CHANGES_MAX = 500;

    /// What the events of a batch may cost, but for the last one.
    private static final long COST_MAX = 40_000;

    private static final Duration WAIT = Duration.ofMillis(200);

    private final Tail tail;
    private final ServedMeaning meaning;
    private final Follower follower;
    private final Scheduler loop;
    private final Semaphore taken = new Semaphore(0);
    private final Thread thread = Thread.ofPlatform().name("sync-feed").daemon().unstarted(this::run);
    private volatile boolean isEnded;

    StoreFollowing(Tail tail, ServedMeaning meaning, Follower follower, Scheduler loop) {
        this.tail = tail;
        this.meaning = meaning;
        this.follower = follower;
        this.loop = loop;
    }

    void begin() {
        thread.start();
    }

    /// Nothing more is told. It is not interrupted, because it may be reading; it ends by itself.
    void end() {
        isEnded = true;
        taken.release();
    }

    /// Waits for its end.
    void awaitEnd(Duration most) throws InterruptedException {
        var _ = thread.join(most);
    }

    private void run() {
        try {
            while (!isEnded) {
                switch (tail.next(CHANGES_MAX, WAIT)) {
                    case TailStep.Changes(var changes) -> tell(changes);
                    case TailStep.Lost(var number) -> {
                        post(() -> follower.lost(number));
                        return;
                    }
                }
            }
        } catch (InterruptedException _) {
            // nobody wants to know more
        } catch (RuntimeException | Error e) {
            if (!isEnded) {
                LOG.error("what the store commits is not followed any more", e);
                post(() -> follower.lost(tail.position())); // what was missed is found by reading everything again
            }
        }
    }

    private void tell(List<Change> changes) throws InterruptedException {
        var batch = new Batch();
        for (var change : changes) {
            if (batch.cost >= COST_MAX) {
                tell(batch, change.number() - 1); // what belongs to one event shares a number
                batch = new Batch();
            }
            batch.add(change);
        }
        if (!changes.isEmpty()) {
            tell(batch, tail.position());
        }
    }

    private void tell(Batch batch, long upTo) throws InterruptedException {
        post(() -> follower.changed(batch.mutations, batch.appeared, upTo, taken::release));
        taken.acquire();
    }

    /// What is told together.
    private final class Batch {
        private final List<Mutation> mutations = new ArrayList<>();
        private final List<Appearance> appeared = new ArrayList<>();
        private long cost;

        void add(Change change) {
            switch (change) {
                case Change.Served(var stored) -> {
                    Event event = stored.read();
                    var appearance = ServedMeaning.appearance(event);
                    meaning.ofServed(event).ifPresent(mutations::add);
                    appeared.add(appearance);
                    cost += appearance.cost();
                }
                case Change.Removed(var _, var removal) ->
                    ServedMeaning.ofRemoved(removal).ifPresent(mutations::add);
            }
        }
    }

    private void post(Runnable telling) {
        loop.post(() -> {
            if (!isEnded) {
                telling.run();
            }
        });
    }
}
