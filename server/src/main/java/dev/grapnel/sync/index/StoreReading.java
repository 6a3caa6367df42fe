package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Reads everything that is stored and wanted, in the order in which it depends on each other (R1.11):
/// announcements, roots, states. What could not be read to its end is read again from its beginning, after a pause: who
/// has seen only a part would take the rest for gone. So some of it may be handed out more than once.
final class StoreReading {
    private static final int SLICE_MAX = 1000;
    /// Comments and labels among them, which may be said of a repository itself.
    private static final List<Integer> ROOT_KINDS = List.of(
            Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE, Kinds.ISSUE, Kinds.COMMENT, Kinds.LABEL);
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
        var some = kinds.poll();
        scan(
                slices -> archive.scan(some, SLICE_MAX, slices),
                (found, taken) -> each.accept(withoutMembers(found), taken),
                () -> read(kinds, each, done));
    }

    /// Members are read thread by thread, in an order of their own (R3.22).
    private static List<Mutation> withoutMembers(List<Mutation> found) {
        return found.stream()
                .filter(mutation -> !(mutation instanceof Mutation.MemberServed))
                .toList();
    }

    /// Hands out everything that refers to something by one letter, as long as it is served: what was read may
    /// be older than what the feed has told.
    void readTagged(char letter, List<String> values, BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        scan(
                slices -> archive.scanTagged(letter, values, SLICE_MAX, slices),
                (found, taken) -> each.accept(served(found), taken),
                done);
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

    private void scan(Consumer<Archive.Slices> begin, BiConsumer<List<Mutation>, Runnable> each, Runnable done) {
        var parts = turns.parts();
        begin.accept(new Archive.Slices() {
            @Override
            public void slice(List<Mutation> found, Runnable taken) {
                parts.execute(() -> each.accept(found, taken));
            }

            @Override
            public void done() {
                parts.execute(done);
            }

            @Override
            public void failed() {
                parts.execute(() -> turns.later(() -> scan(begin, each, done)));
            }
        });
    }
}
