/// The store on tables: how events lie in them, how filters are answered from them, and the one writer.
///
/// Start at [TableStore]. [TableTransaction] is what a transaction can do, [EventTables] how one event is
/// written and removed with all its index entries, [FilterScan] how one filter becomes sorted posting lists,
/// [QueryRun] how lists become an answer. A posting ([Posting]) sorts exactly as answers do, so nothing is
/// sorted and nothing gathered. Not here: what a table is made of (`store.memory`, `store.lmdb`). Only the
/// writer thread changes tables.
@NullMarked
package dev.grapnel.store.engine;

import org.jspecify.annotations.NullMarked;
