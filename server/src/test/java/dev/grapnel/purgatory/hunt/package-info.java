/// Hunting, in virtual time against a scripted world.
@NullMarked
package dev.grapnel.purgatory.hunt;

import org.jspecify.annotations.NullMarked;
