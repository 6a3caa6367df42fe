/// The rules for events, above all against a naive model of them, and purgatory on devices that fail.
@NullMarked
package dev.grapnel.purgatory;

import org.jspecify.annotations.NullMarked;
