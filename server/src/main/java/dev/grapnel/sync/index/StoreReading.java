package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/// Reads everything that is stored and wanted, in the order in which it depends on each other (R1.11):
/// announcements, roots, states.
final class StoreReading {
    private static final int SLICE_MAX = 1000;
    private static final List<Integer> ROOT_KINDS =
            List.of(Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE, Kinds.ISSUE);
    private static final List<List<Integer>> ORDER =
            List.of(List.of(Kinds.ANNOUNCEMENT), ROOT_KINDS, List.of(Kinds.STATE));

    private final Archive archive;
    private final Turns turns;

    StoreReading(Archive archive, Turns turns) {
        this.archive = archive;
        this.turns = turns;
    }

    /// Hands out everything.
    ///
    /// @param each gets a slice, and what to run when it is done with it
    void read(BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        read(new ArrayDeque<>(ORDER), each, done);
    }

    /// Hands out announcements only.
    void readAnnouncements(BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        read(new ArrayDeque<>(ORDER.subList(0, 1)), each, done);
    }

    private void read(Deque<List<Integer>> kinds, BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        if (kinds.isEmpty()) {
            done.run();
            return;
        }
        archive.scan(kinds.poll(), SLICE_MAX, slices(each, () -> read(kinds, each, done)));
    }

    /// Hands out everything that refers to something by one letter, as long as it is served: what was read may
    /// be older than what the feed has told.
    void readTagged(char letter, List<String> values, BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        archive.scanTagged(
                letter, values, SLICE_MAX, slices((found, taken) -> each.accept(served(found), taken), done));
    }

    /// Announcements and states are left out: these change, and the feed tells how.
    private List<Mutation> served(List<Mutation> found) {
        var served = new ArrayList<Mutation>();
        for (var mutation : found) {
            var id = switch (mutation) {
                case Mutation.RootServed root -> root.id();
                case Mutation.MemberServed member -> member.id();
                case Mutation.Announced _, Mutation.Unannounced _, Mutation.StatesChanged _, Mutation.Left _ -> null;
            };
            if (id != null && archive.standing(id) == Archive.Standing.SERVED) {
                served.add(mutation);
            }
        }
        return served;
    }

    private Archive.Slices slices(BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        return new Archive.Slices() {
            @Override
            public void slice(List<Mutation> found, Runnable taken) {
                if (!turns.isStopped()) {
                    each.accept(found, taken);
                }
            }

            @Override
            public void done() {
                if (!turns.isStopped()) {
                    done.run();
                }
            }
        };
    }
}
