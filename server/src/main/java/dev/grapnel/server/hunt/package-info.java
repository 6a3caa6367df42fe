/// Hunting in the real world: what [dev.grapnel.purgatory.hunt] asks for, answered by events, repositories and
/// connections.
///
/// Start at [HuntedWorld]; [GitVisit] is one conversation with a git server of a stranger.
@NullMarked
package dev.grapnel.server.hunt;

import org.jspecify.annotations.NullMarked;
