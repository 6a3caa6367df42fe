@NullMarked
package dev.grapnel.nostr.filter;

import org.jspecify.annotations.NullMarked;
