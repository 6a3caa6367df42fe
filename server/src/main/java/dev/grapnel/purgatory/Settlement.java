package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import java.util.concurrent.CompletableFuture;

/// Looks whether something that has just been held can be served already, because its git data is here.
public interface Settlement {
    /// Nothing ever can.
    Settlement NONE = new Settlement() {
        @Override
        public CompletableFuture<Boolean> settle(Event event) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void settleLater(Event event) {
            // nothing ever can
        }

        @Override
        public boolean hasData(Event event) {
            return false;
        }
    };

    /// Whether an event that is held now is served; told before anybody hears of it.
    CompletableFuture<Boolean> settle(Event event);

    /// The same while nobody waits for it (P-531).
    void settleLater(Event event);

    /// Whether all git data of an event that is not held is here.
    boolean hasData(Event event);

    /// Whether it would matter that another relay has a held event, too (P-220): only then its signature is checked.
    default boolean awaitsCopy(Event event) {
        return false;
    }

    /// Another relay has an event that is held here, with a good signature: so its data exists somewhere.
    default void noteCopy(Event event) {
        // nobody hunts
    }
}
