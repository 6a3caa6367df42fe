package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;

/// A place in an input by what is in front of it, so that it is found again whatever the input is called, and
/// wherever it comes from.
///
/// @param beginBytes how much of the beginning tells inputs apart before all of it is read
/// @param beginHash SHA-256 of that
/// @param bytes how many bytes are in front of the place
/// @param hash SHA-256 of them
public record InputPlace(int beginBytes, Bytes beginHash, long bytes, Bytes hash) {
    /// @throws IllegalArgumentException if the parts do not fit together
    public InputPlace {
        if (beginBytes < 1 || bytes < beginBytes) {
            throw new IllegalArgumentException("the beginning is not a part of the input");
        }
        if (beginHash.length() != Word256.BYTES || hash.length() != Word256.BYTES) {
            throw new IllegalArgumentException("a SHA-256 has " + Word256.BYTES + " bytes");
        }
    }
}
