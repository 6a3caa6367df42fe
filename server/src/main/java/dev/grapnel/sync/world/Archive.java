package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.Lineage;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// What is stored here, as sync reads it.
public interface Archive {
    /// What is known of an id by the id alone (sync 7.1, steps 3 and 4). Looks up a few keys: quick enough for the
    /// loop.
    Standing standing(EventId id);

    /// What is known of an id.
    enum Standing {
        UNKNOWN,
        SERVED,
        /// Its author took it back, proven by this very event (R7.3).
        DELETED,
        /// In purgatory.
        HELD,
        /// It had its time in purgatory, and that it came back is not wished for (R7.13).
        EXPIRED,
        /// A deletion request that waits for its author (P-131).
        GATED
    }

    /// The set of served events that match a filter, for negentropy (R5.5). Made off the loop, answered on it.
    void items(Filter filter, int itemsMax, Consumer<ItemsOutcome> answer);

    /// Number of the last visible commit.
    long commitNumber();

    /// Which history it has, for those who keep what they made of it.
    default Lineage lineage() {
        return Lineage.UNKNOWN;
    }

    /// Follows what changes after a commit number (R1.10): irrelevant events are left out. At most one batch is on its
    /// way: the next comes after `taken` was run.
    ///
    /// @return ends it
    Runnable follow(long after, Follower follower);

    /// Hears of changes, on the loop.
    interface Follower {
        /// What happened, in commit order.
        ///
        /// @param appeared every event that became visible, whatever its kind (R7.21)
        /// @param upTo the last commit that is covered
        void changed(List<Mutation> mutations, List<Appearance> appeared, long upTo, Runnable taken);

        /// Too far behind (R1.11): everything must be read again. Nothing more comes from this following.
        void lost(long commitNumber);
    }

    /// An event became visible.
    ///
    /// @param address its own, if its kind has one
    /// @param mentions the values of its `a`, `A`, `e`, `E` and `q` tags
    record Appearance(EventId id, Optional<String> address, List<String> mentions) {
        /// What it costs to look at one without mentions; about a quarter of a microsecond each.
        public static final int EVENT_COST = 8;

        private static final int CHARACTERS = 64;

        public Appearance {
            mentions = List.copyOf(mentions);
        }

        /// What it costs to look at everything that is mentioned.
        public long cost() {
            return EVENT_COST + mentions.stream().mapToLong(Appearance::cost).sum();
        }

        /// What it costs to look at one mention, which may be as long as an event.
        public static int cost(String mention) {
            return 1 + mention.length() / CHARACTERS;
        }
    }

    /// Reads all served events of some kinds, each as the mutation that serving it would be. In slices, off the loop,
    /// each told on it; the last slice is followed by `done`.
    void scan(List<Integer> kinds, int sliceMax, Slices slices);

    /// Reads all served events that refer to something by a tag of one letter, as [#scan].
    ///
    /// @param letter `a`, `A`, `e`, `E` or `q`
    /// @param values what they refer to; at most 1,000
    void scanTagged(char letter, List<String> values, int sliceMax, Slices slices);

    /// Hears of a scan, on the loop.
    interface Slices {
        /// Some of it. The next comes after `taken` was run.
        void slice(List<Mutation> found, Runnable taken);

        /// That was all.
        void done();

        /// There is more, and it could not be read; nothing more comes of this scan.
        void failed();
    }

    /// Whether an announcement of a repository is served. Quick.
    boolean isAnnounced(RepositoryAddress repository);

    /// Whether somebody has something here and no GRASP list yet, so that one would be the first. Quick.
    default boolean isListless(PublicKey person) {
        return false;
    }

    /// The authors whose served states matter for a repository (R3.2a): everybody who may be in its maintainer set and
    /// has a served state of that identifier, in a stable order. Quick.
    List<StateAuthor> stateAuthors(RepositoryAddress repository);

    /// Somebody with a served state.
    ///
    /// @param address `30618:<author>:<identifier>`
    record StateAuthor(String address) {}
}
