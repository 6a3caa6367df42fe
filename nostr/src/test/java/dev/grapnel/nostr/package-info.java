/// What the tests of this library share: fixtures and events to try things on.
@NullMarked
package dev.grapnel.nostr;

import org.jspecify.annotations.NullMarked;
