/// Tests of live matching.
@NullMarked
package dev.grapnel.server.live;

import org.jspecify.annotations.NullMarked;
