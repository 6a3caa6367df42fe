package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.purgatory.Arrival;

/// How much may wait (purgatory P-140).
///
/// @param announcementsPerOwner of one author
/// @param statesPerAuthor of one author and identifier
/// @param proposalsPerAuthor of one author and identifier
/// @param keysNamed how many people all announcements may name together before such are refused that name
///     many
public record HeldLimits(
        long announcements,
        int announcementsPerOwner,
        long states,
        int statesPerAuthor,
        long proposals,
        int proposalsPerAuthor,
        long keysNamed) {
    /// The specification's.
    public static final HeldLimits DEFAULTS = new HeldLimits(10_000, 100, 50_000, 16, 50_000, 200, 2_000_000);

    /// How many people the announcements of one identifier may name together.
    static final long KEYS_PER_IDENTIFIER = 100_000;

    /// An announcement that names no more than this is taken all the same.
    static final int KEYS_ALWAYS = 16;

    /// How much of what all share an arrival may fill. What other relays had leaves a quarter to those who publish
    /// here: strangers can have any number of relays, and clients wait for an answer.
    static long share(long limit, Arrival arrival) {
        return arrival.isSynced() ? limit - limit / 4 : limit;
    }

    /// What whoever comes too late is told.
    static final Refusal FULL = new Refusal(Prefix.RATE_LIMITED, "purgatory is full");
}
