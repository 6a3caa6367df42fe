@NullMarked
package dev.grapnel.nostr.message;

import org.jspecify.annotations.NullMarked;
