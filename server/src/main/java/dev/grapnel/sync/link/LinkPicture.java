package dev.grapnel.sync.link;

import dev.grapnel.sync.link.Ledger.Use;
import java.util.OptionalLong;

/// How a link is doing.
///
/// @param openedAt when the connection was made, by the monotonic clock
/// @param completeUntil wall second up to which everything of the relay is surely here; empty before all was fetched
///     once
/// @param oldestBatch seconds
/// @param sweptItems values that are asked for only now and then, because they cannot be streamed (R3.24)
/// @param givenUp classes of live coverage that do not fit (R3.24)
/// @param slots B of R3.14
/// @param oldestPass seconds since the oldest complete sweep began
/// @param undecided events that came and have no outcome
/// @param authRetries requests that wait until the relay knows us
/// @param dirtyPairs repositories of which more is wanted than was looked at
public record LinkPicture(
        LinkState state,
        int generation,
        long openedAt,
        OptionalLong completeUntil,
        int batches,
        int parked,
        OptionalLong oldestBatch,
        int liveFilters,
        int sweptItems,
        int givenUp,
        int width,
        int slots,
        int slotsLive,
        int slotsHistoric,
        int slotsNegentropy,
        OptionalLong oldestPass,
        int phantoms,
        int undecided,
        int authRetries,
        int dirtyPairs) {
    static LinkPicture of(Link link) {
        var work = link.work();
        var plan = link.plan();
        var ledger = link.ledger();
        var oldest = work.batches().oldest();
        return new LinkPicture(
                link.state(),
                link.generation(),
                link.openedAt(),
                surelyUntil(link),
                work.batches().size(),
                work.batches().count(Batch::isParked),
                oldest.isPresent()
                        ? OptionalLong.of((link.loop().nanos() - oldest.getAsLong()) / 1_000_000_000)
                        : oldest,
                plan.filterCount(),
                (int) Math.min(Integer.MAX_VALUE, plan.sweptItems()),
                plan.givenUp(),
                link.bearing().sizes(plan.isWide()).width(),
                link.bearing().slots(),
                ledger.taken(Use.LIVE),
                ledger.taken(Use.REQUEST),
                ledger.taken(Use.COMPARISON),
                link.sweeps().oldestPass(),
                work.ids().phantomCount(),
                work.arrived().undecided(),
                link.authentication().waiting(),
                link.dirtyPairs());
    }

    /// What is only swept is here up to when it was last asked for.
    private static OptionalLong surelyUntil(Link link) {
        link.cover();
        var coverage = link.coverage();
        var surely = coverage.surely();
        return surely.isPresent()
                ? OptionalLong.of(Math.min(
                        surely.getAsLong(),
                        link.sweeps().completeUntil(coverage.wholeFrom().orElse(0))))
                : surely;
    }
}
