/// What happens to an event that a relay sent (sync 7): known ones are recognised by their ids, the others pass the one
/// gate, and what was refused for want of something is looked at again when that comes.
///
/// Start at [Intake]: `take` is what an id decides, `apply` what the gate's answer leads to. [Entrance] lines events up
/// before the gate, [Refusals] keeps what was refused, [Awakening] looks at it again, [RefusedFiles] writes it down.
/// [Arrivals] is all that links see. Belongs to the loop. Not here: signatures and policy, which are the gate's;
/// connections; hunting, which follows from what the gate holds.
@NullMarked
package dev.grapnel.sync.received;

import org.jspecify.annotations.NullMarked;
