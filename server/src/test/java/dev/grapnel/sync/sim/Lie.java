package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// What a relay does otherwise than it should. An honest one does nothing of it; [Lies] has the others.
public interface Lie {
    /// An honest relay.
    Lie NONE = new Lie() {
        @Override
        public boolean isHonest() {
            return true;
        }
    };

    /// Whether everything it says is true and complete.
    default boolean isHonest() {
        return false;
    }

    /// Somebody has connected.
    default void connected(RelaySession session) {}

    /// Whether a REQ or NEG-OPEN is refused for no reason, and with which word.
    default Optional<String> refuse(RandomGenerator random) {
        return Optional.empty();
    }

    /// How it reads a filter.
    default Filter read(Filter filter) {
        return filter;
    }

    /// What it finds in place of what it has.
    default List<Event> find(List<Event> found) {
        return found;
    }

    /// Says something in place of a message.
    default void say(RelayMessage message, RelaySession session) {
        session.send(message);
    }

    /// Whether a subscription ends when its owner says so.
    default boolean heedsClose() {
        return true;
    }

    /// What it has, as far as negentropy is concerned.
    default NegentropyItems items(NegentropyItems items, RandomGenerator random) {
        return items;
    }

    /// What it answers to a message of negentropy in place of the truth.
    default Optional<Bytes> reconcile(RandomGenerator random) {
        return Optional.empty();
    }
}
