/// The real git client, to which everything on disk must make sense.
@NullMarked
package dev.grapnel.git;

import org.jspecify.annotations.NullMarked;
