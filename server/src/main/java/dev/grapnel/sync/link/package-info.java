/// One relay: what is streamed from it, what is fetched from it, and what it will bear (sync 2 to 5).
///
/// Start at [Link], which stays while connections come and go. [LivePlan] keeps the live filters, [HistoricWork] the
/// batches, each made of requests ([PageWalk], [Reconciliation], [IdFetch]); [Ledger] says how many may be open.
/// Not here: which relays there are and when they are dialled, what becomes of events, what is wanted.
/// Everything belongs to the loop.
@NullMarked
package dev.grapnel.sync.link;

import org.jspecify.annotations.NullMarked;
