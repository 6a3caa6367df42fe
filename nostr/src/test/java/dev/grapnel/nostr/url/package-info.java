@NullMarked
package dev.grapnel.nostr.url;

import org.jspecify.annotations.NullMarked;
