package dev.grapnel.server;

import dev.grapnel.server.relay.Relay;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.Urgency;
import java.time.Duration;

/// The last things that are said and written when a service stops.
final class Farewells {
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(10);

    private Farewells() {}

    /// Every commit says when it was made: after a start, time without a server is counted from the last one
    /// (purgatory P-722).
    static void renewClock(EventStore store) {
        store.write(Urgency.WAITING, 0, _ -> true)
                .exceptionally(_ -> false) // a store that takes nothing has told so; then the last minute is lost
                .join();
    }

    static void sayFarewell(Relay sessions) {
        try {
            sessions.stop(FAREWELL_MAX);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }
}
