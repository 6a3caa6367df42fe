/// What happens to an event that a relay sent (sync 7): known ones are recognised by their ids, the others pass the one
/// gate, and what was refused for want of something is looked at again when that comes.
///
/// Start at [Arrivals]. Belongs to the loop. Not here: signatures and policy, which are the gate's; connections.
@NullMarked
package dev.grapnel.sync.received;

import org.jspecify.annotations.NullMarked;
