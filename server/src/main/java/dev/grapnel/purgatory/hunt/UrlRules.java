package dev.grapnel.purgatory.hunt;

/// Which published addresses may be fetched from: shape, scheme, port, name, and that they are not our own (P-622,
/// P-800 to P-803). No look-ups: what a name leads to is judged by the visit.
@FunctionalInterface
public interface UrlRules {
    /// Says what becomes of an address.
    ///
    /// @param published the text as it stands in the event
    Judgement judge(String published);

    /// What becomes of it.
    sealed interface Judgement {
        /// It may be asked.
        record Fit(HuntUrl url) implements Judgement {}

        /// It is never asked.
        ///
        /// @param rule what forbids it, a short word for metrics
        /// @param reason the same for people, in words of our own
        /// @param isOurs whether it is this server itself, which every announcement here names
        record Unfit(String rule, String reason, boolean isOurs) implements Judgement {}
    }
}
