/// Purgatory without a network, on devices that fail.
@NullMarked
package dev.grapnel.purgatory;

import org.jspecify.annotations.NullMarked;
