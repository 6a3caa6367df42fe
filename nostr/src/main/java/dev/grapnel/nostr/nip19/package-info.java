/// NIP-19: keys, events and addresses as text for people. Start at [Nip19], whose cases are all there is.
///
/// Only [Bech32] knows the text's letters and checksum, only [Tlv] and [TlvWriter] the layout of the longer
/// kinds. A reason never quotes what was read, because that may be a secret; `Nsec.revealed` alone writes one.
@NullMarked
package dev.grapnel.nostr.nip19;

import org.jspecify.annotations.NullMarked;
