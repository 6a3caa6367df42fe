package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Archive;
import java.util.List;

/// Hears what the self feed brings. What has changed is told while a batch is applied, and possibly over
/// several turns of the loop; `applied` says that it is complete.
public interface FeedListener extends IndexChange {
    /// Events became visible; told at once, before any batch.
    ///
    /// @param upTo the last commit that is covered
    /// @param taken to be run when all of them were looked at: no more are told before
    void appeared(List<Archive.Appearance> events, long upTo, Runnable taken);

    /// A batch is applied, or a comparison with purgatory is over: the diff may run.
    void applied();

    /// Everything that was stored at the start is in the index, members of threads excepted (R1.11). Once,
    /// after the first `applied`.
    void ready();

    /// The feed was too slow and everything was read again (R1.11); nothing is missing in the index, but events
    /// may have appeared without being told.
    void caughtUp();

    /// The daily comparison found differences and repaired them (R2.8); told only if there are any.
    void drifted(int differences);
}
