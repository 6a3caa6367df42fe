package dev.grapnel.outbound;

import java.time.Duration;

/// Calls back later. What is called must be quick.
public interface Alarms {
    /// One call that is to come.
    interface Alarm {
        /// It need not come any more; it may be under way.
        void cancel();
    }

    /// Calls once, after a time.
    Alarm after(Duration delay, Runnable action);
}
