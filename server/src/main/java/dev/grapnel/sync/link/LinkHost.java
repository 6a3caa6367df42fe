package dev.grapnel.sync.link;

import java.time.Duration;

/// What a link asks of those who look after all of them. On the loop.
public interface LinkHost {
    /// Whether nothing may be started at this relay now (R4.29).
    boolean isCooling(int relay);

    /// The relay wants fewer requests.
    void slowDown(int relay);

    /// Whether one more request may start now, by the pace of this relay (R3.15); takes it.
    boolean mayRequest(int relay);

    /// How long until that may be so.
    Duration untilRequest(int relay);

    /// The link has reached another state.
    void changed(int relay, LinkState state);

    /// The connection shall end: the relay misbehaved or is gone, which counts as a failure.
    void hangUp(int relay, String reason);

    /// Nothing is accepted there: the connection shall end without a failure, until the first parking ends.
    void park(int relay, Duration time);

    /// What the relay says of itself should be asked again now: it refused what its document allows (R4.5).
    void askAgain(int relay);

    /// Something to log or count.
    void note(int relay, LinkNote note);
}
