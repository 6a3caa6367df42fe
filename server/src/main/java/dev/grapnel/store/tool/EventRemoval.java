package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.util.concurrent.CompletionException;

/// Takes out of the store what never should have been in it. Whoever keeps views of the store in memory does it
/// in its own way. Each answers whether it is gone by this; false if it was not there any more, or will not go.
public interface EventRemoval {
    /// Takes an event out of service.
    boolean withdraw(StoredEvent event);

    /// Drops a held event.
    boolean drop(Event event);

    /// Forgets the deletion request of a gate.
    boolean forgetGate(Event request);

    /// Removes from a store that nobody else knows by heart.
    record FromStore(EventStore store) implements EventRemoval {
        @Override
        public boolean withdraw(StoredEvent event) {
            return write(work -> work.find(event.id()).filter(event::equals).isPresent() && work.withdraw(event.id()));
        }

        @Override
        public boolean drop(Event event) {
            return write(work -> work.findHeld(event.id())
                            .filter(held -> held.event().equals(event))
                            .isPresent()
                    && work.drop(event.id()).isPresent());
        }

        /// A ban takes the gate away, and must not outlive it: the same event, rightly signed, is welcome.
        @Override
        public boolean forgetGate(Event request) {
            return write(work -> {
                if (work.findRow(Table.GATES, RowKeys.event(request.id())).isEmpty()) {
                    return false;
                }
                work.ban(request.id(), "not signed by its author");
                return work.unban(request.id());
            });
        }

        private boolean write(StoreWork<Boolean> work) {
            try {
                return store.write(Urgency.WAITING, 0, work).join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof StoreDamage || e.getCause() instanceof IllegalStateException) {
                    return false; // bytes that cannot be read cannot be taken out of the indexes either
                }
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
    }
}
