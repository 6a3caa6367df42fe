/// Tests of what is known in memory about announcements and of the sets that follow from them.
@NullMarked
package dev.grapnel.purgatory.pool;

import org.jspecify.annotations.NullMarked;
