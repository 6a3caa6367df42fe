@NullMarked
package dev.grapnel.websocket;

import org.jspecify.annotations.NullMarked;
