/// The Nostr protocol as values: no I/O, no clock, no chance of its own, nothing but the JDK and libsecp256k1.
///
/// This package holds what all others share: [Bytes], [Hex], the outcome types [Parsed] and [Refusal]. Start
/// reading at `event.Event`, then `message.ClientMessage`. Order inside the library, each naming only earlier
/// ones: json, key, event, nip19, url, filter, negentropy, message, rule, auth, repository.
@NullMarked
package dev.grapnel.nostr;

import org.jspecify.annotations.NullMarked;
