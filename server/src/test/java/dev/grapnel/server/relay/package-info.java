/// Tests of parts of the relay that need no socket.
@NullMarked
package dev.grapnel.server.relay;

import org.jspecify.annotations.NullMarked;
