package dev.grapnel.git.maintenance;

/// Whether all packs of a repository are to be made anew. Rarely: everything is read and written for it.
public sealed interface RepackNeed {
    /// Yes.
    ///
    /// @param reason for the log
    record Full(String reason) implements RepackNeed {}

    /// It would be, if there were more memory.
    ///
    /// @param reason for the log
    record TooLarge(String reason) implements RepackNeed {}

    /// No.
    record None() implements RepackNeed {}

    /// What the decision is made from.
    ///
    /// @param objects in all packs, some perhaps several times
    /// @param isRepacked whether there ever was a full repack, whose packs are still here
    /// @param baseBytes in those packs
    /// @param tailBytes in all others that may be touched
    /// @param remainingBytes in others when the last full repack was done, because they were too young to go
    /// @param isGraceOver whether those are not too young any more
    /// @param unreachableShare part of the objects that no root reaches, as far as anybody counted
    record Facts(
            long objects,
            boolean isRepacked,
            long baseBytes,
            long tailBytes,
            long remainingBytes,
            boolean isGraceOver,
            double unreachableShare) {}

    /// Decides.
    static RepackNeed judge(Facts facts, UpkeepConfig config) {
        var reason = reason(facts, config);
        if (reason.isEmpty()) {
            return new None();
        }
        return facts.objects() <= config.repackObjectsMax()
                ? new Full(reason)
                : new TooLarge(reason + ", but its " + facts.objects() + " objects need more memory than there is");
    }

    private static String reason(Facts facts, UpkeepConfig config) {
        if (!facts.isRepacked()) {
            return facts.objects() >= config.repackObjectsMin() ? "it has no bitmaps" : "";
        }
        long grown = facts.tailBytes() - facts.remainingBytes();
        if (grown > (facts.baseBytes() + facts.remainingBytes()) / 2) {
            return "it has grown by half";
        }
        if (facts.unreachableShare() > 0.25) {
            return "a quarter of it is unreachable";
        }
        // Once is enough: the next record says that nothing remained.
        return facts.isGraceOver() && facts.remainingBytes() > facts.baseBytes() / 4
                ? "what was too young to go is not any more"
                : "";
    }
}
