/// Refs on disk, as we and other programs read and write them.
@NullMarked
package dev.grapnel.git.refs;

import org.jspecify.annotations.NullMarked;
