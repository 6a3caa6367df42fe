package dev.grapnel.server.ops;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.time.Duration;

/// Who counts what git does (service 11).
public interface GitMeter {
    /// What clients do, in the words of the dashboards.
    enum Operation {
        FETCH,
        CLONE,
        PUSH
    }

    /// What became of a push.
    enum Authorization {
        ACCEPTED,
        REJECTED,
        NOOP
    }

    /// A request has ended.
    void finished(Operation operation, boolean success, Duration time);

    /// Bytes went over the wire.
    void moved(RepositoryAddress repository, long in, long out);

    /// A push was decided about.
    void judged(Authorization result);
}
