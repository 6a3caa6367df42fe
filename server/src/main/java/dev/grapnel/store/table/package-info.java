/// What an embedded database must be able to do for the store: ordered rows, sorted posting lists, one writer, many
/// snapshots.
///
/// Start at [TableEngine]; [Table] lists what is kept. Everything the store knows about events is above this line, and
/// everything a database is made of below it: `store.memory` and `store.lmdb` implement it. A server database would
/// not:
/// it implements the store itself, because it has indexes and queries of its own.
@NullMarked
package dev.grapnel.store.table;

import org.jspecify.annotations.NullMarked;
