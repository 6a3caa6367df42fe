@NullMarked
package dev.grapnel.server.hunt;

import org.jspecify.annotations.NullMarked;
