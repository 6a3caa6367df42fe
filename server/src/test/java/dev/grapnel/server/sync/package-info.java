/// Tests of what sync is given of the world, over real sockets and stores.
@NullMarked
package dev.grapnel.server.sync;

import org.jspecify.annotations.NullMarked;
