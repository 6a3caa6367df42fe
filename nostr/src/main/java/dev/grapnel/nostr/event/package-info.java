/// The event: [Event], its parts, and [EventReader], the one place where an event's bytes are read.
@NullMarked
package dev.grapnel.nostr.event;

import org.jspecify.annotations.NullMarked;
