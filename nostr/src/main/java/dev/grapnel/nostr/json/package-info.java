/// Strict JSON over bytes: the scanner every reader of this library uses, and the one way text is escaped.
@NullMarked
package dev.grapnel.nostr.json;

import org.jspecify.annotations.NullMarked;
