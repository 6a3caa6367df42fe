package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.received.Arrivals;
import java.util.function.Consumer;

/// For links that are told nothing.
final class NothingArrives implements Arrivals {
    @Override
    public void receive(Event event, int relay, Path path, Consumer<Outcome> outcome) {
        throw new IllegalStateException("nothing was sent");
    }

    @Override
    public Knowledge knowledge(EventId id) {
        return Knowledge.UNKNOWN;
    }
}
