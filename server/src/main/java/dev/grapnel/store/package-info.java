/// Keeps events and everything else Grapnel must not forget, and answers filters.
///
/// Start at [EventStore]: `write` changes something in one transaction, `query`, `count` and `items` answer
/// filters, `tail` follows what happens. What an event does to the store is decided by [StoreDecision], a pure
/// function of the event and what the transaction sees. The interface is written for a second implementation on
/// a server database; the embedded ones share `store.engine` and differ in the tables underneath. Not here: who
/// may publish what (purgatory), and anything about sockets. Only the writer changes state.
@NullMarked
package dev.grapnel.store;

import org.jspecify.annotations.NullMarked;
