@NullMarked
package dev.grapnel.nostr.event;

import org.jspecify.annotations.NullMarked;
