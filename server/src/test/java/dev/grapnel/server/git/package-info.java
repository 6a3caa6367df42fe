/// Git over HTTP, tried with the real git client and by hand.
@NullMarked
package dev.grapnel.server.git;

import org.jspecify.annotations.NullMarked;
