/// What following other relays costs.
///
/// Start at [SyncBench]: each part of it prints a table. [FilledIndex], [MadeUpLinks] and [MadeUpIntake] are the real
/// core
/// without a network; [StockRelays] and [LinkedServer] are sockets and a whole server.
@NullMarked
package dev.grapnel.bench.sync;

import org.jspecify.annotations.NullMarked;
