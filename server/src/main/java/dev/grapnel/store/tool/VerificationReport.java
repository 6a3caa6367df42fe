package dev.grapnel.store.tool;

/// What an [EventVerification] has seen.
///
/// @param served events that are served
/// @param held events in purgatory
/// @param gates deletion requests that wait for their authors
/// @param faults how many of all these are not what their authors signed
/// @param removed how many of the faults were removed
public record VerificationReport(long served, long held, long gates, long faults, long removed) {
    /// All that was looked at.
    public long events() {
        return served + held + gates;
    }
}
