package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Events that somebody has just published and would like to hear of, as soon as they are served. No more than are
/// on their way.
public final class Expectations {
    private final Map<EventId, CompletableFuture<Boolean>> open = new ConcurrentHashMap<>();

    /// Done when the event is served; whoever asked ends the waiting with [#end].
    CompletableFuture<Boolean> expect(EventId id) {
        return open.computeIfAbsent(id, _ -> new CompletableFuture<>());
    }

    /// It is decided without anybody having said so.
    void end(EventId id, boolean isServed) {
        var waiting = open.remove(id);
        if (waiting != null) {
            waiting.complete(isServed);
        }
    }

    /// It cannot be told.
    void fail(EventId id, Throwable problem) {
        var waiting = open.remove(id);
        if (waiting != null) {
            waiting.completeExceptionally(problem);
        }
    }

    /// These are served from now on.
    public void served(List<EventId> ids) {
        for (var id : ids) {
            var waiting = open.get(id);
            if (waiting != null) {
                waiting.complete(true);
            }
        }
    }
}
