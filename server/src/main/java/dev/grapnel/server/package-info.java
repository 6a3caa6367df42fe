/// The server as a whole: its parts, put together, started and stopped.
///
/// Start at [Service]. Not here: what the parts do.
@NullMarked
package dev.grapnel.server;

import org.jspecify.annotations.NullMarked;
