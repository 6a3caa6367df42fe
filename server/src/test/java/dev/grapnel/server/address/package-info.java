@NullMarked
package dev.grapnel.server.address;

import org.jspecify.annotations.NullMarked;
