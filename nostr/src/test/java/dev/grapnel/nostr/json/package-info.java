@NullMarked
package dev.grapnel.nostr.json;

import org.jspecify.annotations.NullMarked;
