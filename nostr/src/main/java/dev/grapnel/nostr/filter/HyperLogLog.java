package dev.grapnel.nostr.filter;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/// Counts distinct authors so that counts of several relays can be merged (NIP-45, relay 5.3).
///
/// Which bytes of a key are looked at depends on what is counted, so that nobody can mine one key that spoils every
/// count. Not shared between threads while authors are added.
public final class HyperLogLog {
    private static final int REGISTERS = 256;
    private static final int OFFSET_DIGIT = 32;
    private static final int OFFSET_BASE = 8;
    private static final int COUNTED_BITS = 56;

    private final int offset;
    private final byte[] registers = new byte[REGISTERS];

    private HyperLogLog(int offset) {
        this.offset = offset;
    }

    /// An empty counter for a filter, if it is of the one form that has one: one kind, one tag value, nothing else.
    public static Optional<HyperLogLog> findFor(Filter filter) {
        boolean eligible = filter.kinds().filter(kinds -> kinds.size() == 1).isPresent()
                && filter.tags().size() == 1
                && filter.tags().getFirst().values().size() == 1
                && filter.ids().isEmpty()
                && filter.authors().isEmpty()
                && filter.since().isEmpty()
                && filter.until().isEmpty()
                && filter.limit().isEmpty()
                && filter.search().isEmpty();
        return eligible
                ? Optional.of(new HyperLogLog(
                        offset(filter.tags().getFirst().values().toList().getFirst())))
                : Optional.empty();
    }

    private static int offset(String value) {
        return OFFSET_BASE + Character.digit(hexOf(value).charAt(OFFSET_DIGIT), 16);
    }

    private static String hexOf(String value) {
        if (Hex.isHex(value, Word256.DIGITS)) {
            return value;
        }
        return Address.parse(value)
                .map(address -> address.author().toString())
                .find()
                .orElseGet(() -> sha256(value));
    }

    /// Counts an author; again makes no difference.
    public void add(PublicKey author) {
        var key = author.toBytes();
        long bits = 0;
        for (int i = offset + 1; i < offset + 8; i++) {
            bits = bits << 8 | (key[i] & 0xff);
        }
        int zeros = Math.min(Long.numberOfLeadingZeros(bits << 8), COUNTED_BITS);
        int register = key[offset] & 0xff;
        registers[register] = (byte) Math.max(registers[register], zeros + 1);
    }

    /// The 256 registers.
    public Bytes registers() {
        return Bytes.copyOf(registers);
    }

    private static String sha256(String text) {
        try {
            return Hex.format(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
