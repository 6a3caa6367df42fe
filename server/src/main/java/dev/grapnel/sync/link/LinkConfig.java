package dev.grapnel.sync.link;

import java.time.Duration;

/// What the operator may set of links (sync 9.3).
///
/// @param chunkSize the ordinary width (R3.6)
/// @param consolidationFrom live filters from which on they are packed again (R3.16)
/// @param liveFiltersMax R3.19
/// @param pageLimit R3.13
/// @param usesNegentropy R5.1
/// @param asksStatesInFirstLayer R3.2
/// @param keepsGraspLists whether 10317 is kept here (R3.1)
/// @param window R1.12
/// @param dailyMin R4.12
/// @param dailyMax R4.12
public record LinkConfig(
        int chunkSize,
        int consolidationFrom,
        int liveFiltersMax,
        int pageLimit,
        boolean usesNegentropy,
        boolean asksStatesInFirstLayer,
        boolean keepsGraspLists,
        Duration window,
        Duration dailyMin,
        Duration dailyMax) {
    public static final LinkConfig DEFAULTS = new LinkConfig(
            100, 70, 200, 500, true, false, true, Duration.ofSeconds(5), Duration.ofHours(23), Duration.ofHours(25));
}
