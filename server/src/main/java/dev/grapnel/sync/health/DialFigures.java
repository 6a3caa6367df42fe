package dev.grapnel.sync.health;

import java.util.Map;

/// Numbers for metrics, from what is there (sync 9.1).
///
/// @param followed relays that count
/// @param waiting relays that wait for a place among them
/// @param connected links
/// @param dialling attempts that go on
/// @param queued attempts that wait for their turn
/// @param dead relays that failed for a day
/// @param naughty relays that are left alone for their faults
public record DialFigures(
        int followed,
        int waiting,
        int connected,
        int dialling,
        int queued,
        int dead,
        Map<RelayFault, Integer> naughty) {}
