/// Tests of the whole server over real sockets.
@NullMarked
package dev.grapnel.server;

import org.jspecify.annotations.NullMarked;
