package dev.grapnel.sync.index;

/// How much strangers may make us follow. What goes beyond is not followed and counted in [IndexFigures].
///
/// @param relaysPerRepoMax relays of an announcement that are used (R1.16)
/// @param relaysMax relays that are known at a time; three quarters of it for announcements that wait
/// @param reposMax repositories whose announcements wait and never were served, at a time; what is served is always
///     followed
/// @param descendantsMax members below each event that tags a root directly (R3.22)
/// @param depthMax how far below its root a member may be
/// @param membersMax members met in the life of the process
/// @param addressedMax of these, those that have an address
/// @param prefixesMax threads at relays of which it is known how far they were asked for and confirmed (sync 8.2)
public record IndexLimits(
        int relaysPerRepoMax,
        int relaysMax,
        int reposMax,
        int descendantsMax,
        int depthMax,
        int membersMax,
        int addressedMax,
        int prefixesMax) {
    public static final IndexLimits DEFAULTS =
            new IndexLimits(20, 50_000, 1_000_000, 500, 8, 20_000_000, 100_000, 10_000_000);

    public IndexLimits {
        if (relaysPerRepoMax < 1 || relaysMax < 1 || reposMax < 1) {
            throw new IllegalArgumentException("relays and repositories must be allowed");
        }
        if (descendantsMax < 1 || depthMax < 1 || depthMax > 15) {
            throw new IllegalArgumentException("threads have 1 to 15 levels and at least one descendant");
        }
        if (membersMax < 0 || membersMax >= 1 << 26 || addressedMax < 0 || prefixesMax < 0) {
            throw new IllegalArgumentException("members are counted in 26 bits");
        }
    }

    /// The same, with the two values that operators choose.
    public IndexLimits with(int relaysPerRepo, int descendants) {
        return new IndexLimits(
                relaysPerRepo, relaysMax, reposMax, descendants, depthMax, membersMax, addressedMax, prefixesMax);
    }
}
