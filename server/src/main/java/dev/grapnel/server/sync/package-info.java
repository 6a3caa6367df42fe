/// What sync asks of the world, answered by sockets, disks and the store.
///
/// Start at [SyncWorld], the list of parts. [SyncThread] is the loop all sync state belongs to; every other part takes
/// work from it, does it on threads of its own and answers by a task on the loop. Not here: decisions about what to ask
/// whom (sync), and the gate, which sits beside the admission it calls.
///
/// Strangers talk to [RelaySockets] and [RelayDocuments] only: whatever they can fill there has a limit, and what is
/// read from them is taken apart before it reaches the loop. No lock is held while somebody else is called.
@NullMarked
package dev.grapnel.server.sync;

import org.jspecify.annotations.NullMarked;
