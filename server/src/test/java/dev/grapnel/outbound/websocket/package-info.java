@NullMarked
package dev.grapnel.outbound.websocket;

import org.jspecify.annotations.NullMarked;
