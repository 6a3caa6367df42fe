/// A stream of strangers' bytes becomes a checked, complete pack with its index, or nothing.
///
/// Start at [PackIntake]. [Reception] tells the order of things: bytes are written, inflated and hashed as
/// they come ([PackStream]), deltas are resolved when all are here ([DeltaResolver]), every link is followed
/// to its end ([LinkCheck]), files too large to be deltas are put in whole ([LargeResults]), bases that a
/// thin pack left out are appended ([Completion]), and the index is written ([PackIndexWriter]). What an
/// object may contain stands in [ObjectCheck] and below it.
///
/// Whatever grows with a pack lies outside the heap ([Scratch]), because packs are larger than heaps and
/// their announcements are lies until proved. Nothing here knows refs, policies or threads; one thread
/// calls, and may be interrupted.
@NullMarked
package dev.grapnel.git.pack;

import org.jspecify.annotations.NullMarked;
