/// Tries the parts of importing that commands cannot reach.
@NullMarked
package dev.grapnel.store.tool;

import org.jspecify.annotations.NullMarked;
