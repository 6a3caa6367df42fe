package dev.grapnel.bench.sync;

import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.index.IndexLimits;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.link.Commons;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.link.LinkHost;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkState;
import java.time.Duration;
import java.time.Instant;

/// Makes real links to relays that are none, without comparisons and without a pace.
///
/// @param loop of all of them
record MadeUpLinks(WantedIndex index, VirtualLoop loop, Commons commons) {
    private static final Duration LONG = Duration.ofDays(3);

    MadeUpLinks(WantedIndex index, VirtualLoop loop) {
        this(
                index,
                loop,
                new Commons(
                        loop,
                        IndexLimits.DEFAULTS.prefixesMax(),
                        () -> index.figures().bytes()));
    }

    /// A link that is not connected.
    ///
    /// @param width most values of a filter
    Link link(int relay, int width, PoliteRelay remote) {
        var learned = new Learned();
        learned.learn(Learned.Trait.WIDTH, width, Instant.MAX);
        return new Link(
                relay,
                withoutComparisons(),
                index,
                new NothingArrives(),
                new OwnStates(),
                loop,
                (_, _) -> {
                    throw new IllegalStateException("nobody asks for that");
                },
                commons,
                () -> learned,
                new Patient(remote));
    }

    private static LinkConfig withoutComparisons() {
        var usual = LinkConfig.DEFAULTS;
        return new LinkConfig(
                usual.chunkSize(),
                usual.consolidationFrom(),
                usual.liveFiltersMax(),
                usual.pageLimit(),
                false,
                usual.asksStatesInFirstLayer(),
                usual.keepsGraspLists(),
                usual.window(),
                LONG,
                LONG);
    }

    /// Lets a link do whatever it wants.
    private record Patient(PoliteRelay remote) implements LinkHost {
        @Override
        public boolean isCooling(int relay) {
            return false;
        }

        @Override
        public void slowDown(int relay) {
            throw new IllegalStateException("nobody complained");
        }

        @Override
        public boolean mayRequest(int relay) {
            return true;
        }

        @Override
        public Duration untilRequest(int relay) {
            return Duration.ZERO;
        }

        @Override
        public void changed(int relay, LinkState state) {
            // it tells itself
        }

        @Override
        public void hangUp(int relay, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void park(int relay, Duration time) {
            throw new IllegalStateException("nothing is refused");
        }

        @Override
        public void askAgain(int relay) {
            // it says nothing of itself
        }

        @Override
        public void note(int relay, LinkNote note) {
            if (note instanceof LinkNote.BatchEnded) {
                remote.confirmed();
            }
        }
    }
}
