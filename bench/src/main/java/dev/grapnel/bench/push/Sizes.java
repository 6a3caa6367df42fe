package dev.grapnel.bench.push;

/// How much of everything.
///
/// @param commits of each repository before the first push that is measured
/// @param warmups rounds before those that count
/// @param pushes of each round at each server
/// @param gitPushes of those, additional ones with the whole `git` program
/// @param repositories that are pushed to at a steady rate
/// @param rate pushes a second over all of them
/// @param seconds for which it is kept
/// @param owners of the repository whose owners' repositories are aligned
record Sizes(
        int commits,
        int warmups,
        int rounds,
        int pushes,
        int gitPushes,
        int repositories,
        double rate,
        int seconds,
        int owners) {
    /// @throws IllegalArgumentException naming what cannot be
    Sizes {
        if (commits < 1 || rounds < 1 || pushes < 1 || repositories < 1 || owners < 1) {
            throw new IllegalArgumentException("commits, rounds, pushes, repositories and owners must be at least 1");
        }
        if (warmups < 0 || gitPushes < 0 || seconds < 1 || rate <= 0) {
            throw new IllegalArgumentException("no number can be below 0, and time and rate must be above");
        }
    }

    /// Rounds that warm up, and those that count.
    int allRounds() {
        return warmups + rounds;
    }
}
