/// What an operator does with a store that no server has open: take events out, put events in, look at it.
///
/// Start at [EventImport] and [EventExport]; [OpenStore] opens what they work on. What goes wrong in a foreseen
/// way is a [ToolFailure] whose message is a sentence. Not here: command lines and how progress looks
/// (`command`), and what an event does to the store (`store`).
@NullMarked
package dev.grapnel.store.tool;

import org.jspecify.annotations.NullMarked;
