/// Makes repositories what signed events say and serves what waited for git data (purgatory 5).
///
/// Start at [Reconciler]. A run for one identifier looks ([Scene]), decides which state governs which repository
/// ([Plan]), aligns refs ([Aligning]), chooses what can be served ([Selection], [ProposalRefs]) and writes that down
/// in one transaction ([Release]), unless what it rests on has changed meanwhile.
///
/// Git comes before the store: whatever is served has its objects. Each step can be repeated.
@NullMarked
package dev.grapnel.purgatory.reconcile;

import org.jspecify.annotations.NullMarked;
