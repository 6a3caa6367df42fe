/// The local pool: all objects that count when somebody asks whether a signed event can be fulfilled
/// (purgatory P-320), and how a repository gets them.
///
/// Start at [LocalPool]. Whether an object is there with everything it reaches is proved by [Proof]; what is
/// brought into a repository, and whether it is linked or copied, stands in [Transfer]; both go through
/// objects with [ClosureWalk].
///
/// Not here: events. Who is related to whom, and which staging areas belong to what, is the caller's to say.
/// No ref is ever changed, and nothing here outlives its pool but the objects it brought.
@NullMarked
package dev.grapnel.git.pool;

import org.jspecify.annotations.NullMarked;
