/// What this server itself has, as sync reads it: events of the store, repositories that wait, what either means.
///
/// [ServedMeaning] says what an event changes of what is wanted, [StoreFacts] and [PoolsView] answer from the store and
/// from purgatory. Servers and the simulation use the same. Not here: threads, and whatever reads more than a few keys.
@NullMarked
package dev.grapnel.sync.home;

import org.jspecify.annotations.NullMarked;
