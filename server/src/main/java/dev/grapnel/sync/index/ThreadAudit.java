package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/// Reads from the store everything that refers to roots or members, so that it can be compared with their threads
/// (R2.8). What the index met after it began does not count.
final class ThreadAudit {
    private static final int VALUES_MAX = 1000;
    private static final int LOOKS_MAX = 20_000;

    private final WantedIndex index;
    private final StoreReading reading;
    private final Scheduler scheduler;
    private final BiConsumer<List<Mutation>, Runnable> each;
    private final Runnable done;
    private final int rootCount;
    private final int memberCount;
    private int root;
    private int member;

    /// @param each gets what was found, and what to run when it is done with it
    ThreadAudit(
            WantedIndex index,
            StoreReading reading,
            Scheduler scheduler,
            BiConsumer<List<Mutation>, Runnable> each,
            Runnable done) {
        this.index = index;
        this.reading = reading;
        this.scheduler = scheduler;
        this.each = each;
        this.done = done;
        this.rootCount = index.roots().count();
        this.memberCount = index.threads().members().count();
    }

    void go() {
        var search = next();
        if (!search.isEmpty()) {
            look(ThreadWalk.looks(search));
        } else if (root < rootCount || member < memberCount) {
            scheduler.post(this::go);
        } else {
            done.run();
        }
    }

    private ThreadSearch next() {
        var ids = new ArrayList<String>();
        var named = new ArrayList<String>();
        for (int looks = 0; looks < LOOKS_MAX && ids.size() < VALUES_MAX; looks++) {
            if (root < rootCount) {
                if (!index.roots().isGone(root)) {
                    ids.add(index.rootId(root).toHex());
                }
                root++;
            } else if (member < memberCount) {
                if (index.threads().isWorthSearching(member)) {
                    ids.add(index.memberId(member).toHex());
                    index.memberAddress(member).ifPresent(named::add);
                }
                member++;
            }
        }
        return new ThreadSearch(ids, named);
    }

    private void look(Deque<ThreadWalk.Look> looks) {
        var next = looks.poll();
        if (next == null) {
            go();
            return;
        }
        reading.readTagged(
                next.letter(),
                next.values(),
                (found, taken) -> each.accept(ThreadWalk.members(found), taken),
                () -> look(looks));
    }
}
