/// Time that passes only when told, for everything that runs on the loop.
@NullMarked
package dev.grapnel.sync.world;

import org.jspecify.annotations.NullMarked;
