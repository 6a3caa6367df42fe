package dev.grapnel.nostr.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// No fuzzer finds the preimage of a hash. So where the only fault of a text is an event's id, this puts the right one
/// in
/// its place: the refusal names it.
final class RightIds {
    private static final Pattern NAMED = Pattern.compile("id is not the hash of the event, which is ([0-9a-f]{64})");

    private RightIds() {}

    /// The text with the id its refusal asks for.
    static Optional<byte[]> findCorrected(byte[] text, String claimedId, String refusal) {
        var right = NAMED.matcher(refusal);
        var latin = new String(text, StandardCharsets.ISO_8859_1);
        int at = latin.indexOf(claimedId);
        if (at < 0 || !right.find()) {
            return Optional.empty(); // another fault, or the digits of the id are spelled with escapes
        }
        var corrected = latin.substring(0, at) + right.group(1) + latin.substring(at + claimedId.length());
        return Optional.of(corrected.getBytes(StandardCharsets.ISO_8859_1));
    }
}
