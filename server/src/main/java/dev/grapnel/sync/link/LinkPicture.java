package dev.grapnel.sync.link;

import java.util.OptionalLong;

/// How a link is doing.
///
/// @param openedAt when the connection was made, by the monotonic clock
/// @param coveredUntil wall seconds
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
        OptionalLong coveredUntil,
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
        int dirtyPairs) {}
