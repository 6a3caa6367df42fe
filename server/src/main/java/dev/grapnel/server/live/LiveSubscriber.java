package dev.grapnel.server.live;

/// Somebody who wants to hear of new events.
public interface LiveSubscriber {
    /// An event that one of its filters matches; each comes once, in commit order. Called by the matcher, for
    /// whom others wait: must be quick.
    void deliver(LiveEvent event);
}
