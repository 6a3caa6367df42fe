/// The rules of GRASP for events (service 4, purgatory 2): what may come, what must wait, what is refused
/// and why.
///
/// Start at [GraspPolicy], which hands an event to the rule of its kind. Each rule is a pure function of
/// the arrival, of a view of the store and of the pool of the identifier. Not here: what is done about it,
/// and what follows when something leaves.
@NullMarked
package dev.grapnel.purgatory.rule;

import org.jspecify.annotations.NullMarked;
