package dev.grapnel.sync.index;

/// Sizes of the index, for metrics (sync 9.1).
///
/// @param relays those that some followed repository names
/// @param relaysMet those whose names are kept, because somebody names or uses them
/// @param refusedRelays how often a relay was not followed because too many were known
/// @param refusedRepos how often an announcement that waits was not followed for that reason
/// @param refusedMembers how often a thread member was not
/// @param searches whether answers are still looked for in the store
/// @param bytes all tables
public record IndexFigures(
        int fullRepos,
        int stateOnlyRepos,
        int roots,
        int members,
        int pairs,
        int relays,
        int relaysMet,
        long refusedRelays,
        long refusedRepos,
        long refusedMembers,
        boolean searches,
        long bytes) {}
