@NullMarked
package dev.grapnel.outbound;

import org.jspecify.annotations.NullMarked;
