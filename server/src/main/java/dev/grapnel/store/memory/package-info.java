/// The tables in memory: for tests, simulations and `--database-backend memory`. Nothing survives the process.
///
/// Start at [MemoryEngine]. A table is an immutable [Treap], so a snapshot is a reference and a transaction
/// that fails is forgotten.
@NullMarked
package dev.grapnel.store.memory;

import org.jspecify.annotations.NullMarked;
