/// Keys and BIP-340 signatures through libsecp256k1. Start at [SecretKey] and [PublicKey]; [Schnorr] is the
/// only class that touches native code. Secret bytes never reach `toString`, logs or exceptions.
@NullMarked
package dev.grapnel.nostr.key;

import org.jspecify.annotations.NullMarked;
