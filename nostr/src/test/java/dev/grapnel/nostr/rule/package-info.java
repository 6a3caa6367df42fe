@NullMarked
package dev.grapnel.nostr.rule;

import org.jspecify.annotations.NullMarked;
