package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Looks in the store for answers to roots and members that were not followed when the answers came (R1.11,
/// R3.21). One look at a time; what it finds joins the window, and while that is full it waits.
final class ThreadWalk {
    private static final int VALUES_MAX = 1000;
    private static final String LETTERS_OF_IDS = "eEq";
    private static final String LETTERS_OF_ADDRESSES = "aAq";

    private final WantedIndex index;
    private final StoreReading reading;
    private final Scheduler scheduler;
    private final Window window;
    private final Runnable idle;
    private boolean isWalking;

    /// One question to the store.
    record Look(char letter, List<String> values) {}

    /// @param idle told when there is nothing to look for
    ThreadWalk(WantedIndex index, StoreReading reading, Scheduler scheduler, Window window, Runnable idle) {
        this.index = index;
        this.reading = reading;
        this.scheduler = scheduler;
        this.window = window;
        this.idle = idle;
    }

    /// Goes on, if there is anything to look for.
    void go() {
        if (isWalking) {
            return;
        }
        var search = index.takeSearch(VALUES_MAX);
        if (!search.isEmpty()) {
            isWalking = true;
            look(looks(search));
        } else if (index.isSearching()) {
            scheduler.post(this::go);
        } else {
            idle.run();
        }
    }

    /// What it was doing was given up.
    void giveUp() {
        isWalking = false;
    }

    boolean isIdle() {
        return !isWalking && !index.isSearching();
    }

    /// The questions whose answers are all there is below some events.
    static Deque<Look> looks(ThreadSearch search) {
        var looks = new ArrayDeque<Look>();
        LETTERS_OF_IDS.chars().forEach(letter -> looks.add(new Look((char) letter, search.ids())));
        if (!search.addresses().isEmpty()) {
            LETTERS_OF_ADDRESSES.chars().forEach(letter -> looks.add(new Look((char) letter, search.addresses())));
        }
        return looks;
    }

    private void look(Deque<Look> looks) {
        var next = looks.poll();
        if (next == null) {
            isWalking = false;
            scheduler.post(this::go);
            return;
        }
        reading.readTagged(
                next.letter(), next.values(), (found, taken) -> window.add(members(found), taken), () -> look(looks));
    }

    static List<Mutation> members(List<Mutation> found) {
        return found.stream().filter(Mutation.MemberServed.class::isInstance).toList();
    }
}
