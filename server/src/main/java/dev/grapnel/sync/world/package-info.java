/// All that sync knows of the world (sync R10.1): time, connections, the store, the gate, purgatory, files.
///
/// Start at [Scheduler]: whatever takes time is begun by a call that returns at once and is answered by a task on the
/// loop. The server implements these interfaces with sockets and disks, the simulation with a seed. Nothing here has
/// state of its own.
@NullMarked
package dev.grapnel.sync.world;

import org.jspecify.annotations.NullMarked;
