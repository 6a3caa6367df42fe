/// What purgatory, the ledgers and sync must still know after a restart, as immutable rows, and how rows are
/// written.
///
/// Start at [Row] for what there is and at [Rows] for turning a row into bytes and back. [RowKeys] has the
/// keys and the beginnings to look for. A row says what is known, not what follows from it: whatever can be
/// read from an event or computed from an address is not stored beside it. Not here: tables and transactions,
/// the rules of purgatory and whether a signature is good.
@NullMarked
package dev.grapnel.store.row;

import org.jspecify.annotations.NullMarked;
