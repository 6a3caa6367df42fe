/// Looks for missing git data where it was published (purgatory 6).
///
/// Start at [Hunt]: the queue of identifiers ([HuntQueue]), which URL comes next ([Selection], pure; [Turns]
/// remembers who was served when), when a slow one gives way ([Patience], pure), how much others bear ([Throttle]),
/// what is done at one ([Conversation]) and what its answer leads to ([Verdicts]).
/// The world is one interface, [World]: events and objects, servers elsewhere, relays; [UrlRules] and [NaughtyList]
/// come beside it because relay links share them.
///
/// Not here: sockets, packs, events, disk, expiry. Three locks, never held across a call to the world and never
/// two at once: the queue's, the throttle's and that of what is remembered ([Health], [Misses], [Turns]).
@NullMarked
package dev.grapnel.purgatory.hunt;

import org.jspecify.annotations.NullMarked;
