/// What is announced and what waits, by identifier, in memory: enough to judge whatever arrives without
/// reading an announcement again.
///
/// Start at [Pools]: it follows the store's transactions and hands out a [Pool] for each identifier. A pool
/// is immutable: the writer works on its own, unpublished ones, everybody else sees those of the last
/// commit. Not here: rules. Whole events are not kept either, because strangers choose how large they are.
@NullMarked
package dev.grapnel.purgatory.pool;

import org.jspecify.annotations.NullMarked;
