@NullMarked
package dev.grapnel.nostr.auth;

import org.jspecify.annotations.NullMarked;
