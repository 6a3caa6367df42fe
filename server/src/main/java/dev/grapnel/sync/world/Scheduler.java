package dev.grapnel.sync.world;

import java.time.Duration;
import java.time.Instant;

/// The one thread that all sync state belongs to (sync R1.21), and its clocks. Tasks run one after the other, in the
/// order in which they were posted or became due; none of them waits for anything.
public interface Scheduler {
    /// The clock durations and deadlines are measured by; it never goes back.
    long nanos();

    /// The clock of dates that go over the wire; it may be set.
    Instant wall();

    /// Runs something on the loop after a while.
    ///
    /// @return takes it back, on the loop; without effect once it has run
    Runnable after(Duration wait, Runnable work);

    /// Runs something on the loop, soon. The only method that any thread may call.
    void post(Runnable work);
}
