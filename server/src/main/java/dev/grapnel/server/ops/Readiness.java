package dev.grapnel.server.ops;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// Why the service is not, or not fully, ready (service 2.2). A new one is starting, until somebody says
/// otherwise.
public final class Readiness {
    private final Set<Reason> reasons = new ConcurrentSkipListSet<>(Set.of(Reason.STARTING));

    /// What can be in the way, in the order in which it is told.
    public enum Reason {
        STARTING("starting"),
        IMPORTING("importing"),
        DISK_FLOOR("disk floor"),
        STORE_READ_ONLY("store read-only");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /// As `/health` tells it.
        public String words() {
            return words;
        }
    }

    /// This is in the way from now on.
    public void begin(Reason reason) {
        reasons.add(reason);
    }

    /// This is not in the way any more.
    public void end(Reason reason) {
        reasons.remove(reason);
    }

    /// Whether this is in the way.
    public boolean has(Reason reason) {
        return reasons.contains(reason);
    }

    /// What is in the way; nothing when the service is ready.
    public List<Reason> reasons() {
        return List.copyOf(reasons);
    }
}
