package dev.grapnel.nostr.fuzz;

import static dev.grapnel.nostr.fuzz.Oracle.require;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.nip19.Naddr;
import dev.grapnel.nostr.nip19.Nevent;
import dev.grapnel.nostr.nip19.Nip19;
import dev.grapnel.nostr.nip19.Note;
import dev.grapnel.nostr.nip19.Nprofile;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.nip19.Nrelay;
import dev.grapnel.nostr.nip19.Nsec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Reads texts of NIP-19: the data as text, and the data as the bytes inside a text whose checksum is right. The latter
/// begins with a byte above ASCII.
public final class Nip19Fuzz {
    private static final List<String> PREFIXES =
            List.of("npub", "nsec", "note", "nprofile", "nevent", "naddr", "nrelay", "nother");
    private static final String LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final int LENGTH_MAX = 5000;

    private Nip19Fuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0 && data[0] < 0) {
            var prefix = PREFIXES.get(data[0] & 7);
            read(bech32(prefix, Arrays.copyOfRange(data, 1, data.length)));
        } else {
            read(new String(data, StandardCharsets.UTF_8));
        }
    }

    private static void read(String text) {
        Npub.parse(text);
        Nsec.parse(text);
        if (Nip19.parse(text) instanceof Parsed.Valid<Nip19>(var value)) {
            require(text.length() <= LENGTH_MAX, "accepted in spite of its length");
            var written = write(value);
            require(written.length() <= text.length(), "written longer than it was read");
            require(Nip19.parse(written).require().equals(value), "changes when it is written and read");
        }
    }

    private static String write(Nip19 value) {
        return switch (value) {
            case Npub npub -> npub.text();
            case Nsec nsec -> nsec.revealed();
            case Note note -> note.text();
            case Nprofile nprofile -> nprofile.write().require();
            case Nevent nevent -> nevent.write().require();
            case Naddr naddr -> naddr.write().require();
            case Nrelay nrelay -> nrelay.write().require();
        };
    }

    /// BIP-173 as its text has it.
    private static String bech32(String prefix, byte[] data) {
        var bits = new StringBuilder();
        for (byte value : data) {
            bits.append(Integer.toBinaryString(0x100 | (value & 0xff)).substring(1));
        }
        bits.repeat("0", (5 - bits.length() % 5) % 5);
        var values = new StringBuilder();
        for (int i = 0; i < bits.length(); i += 5) {
            values.append((char) Integer.parseInt(bits.substring(i, i + 5), 2));
        }
        var checked = new StringBuilder();
        prefix.chars().forEach(c -> checked.append((char) (c >> 5)));
        checked.append('\0');
        prefix.chars().forEach(c -> checked.append((char) (c & 31)));
        int sum = polymod(checked.append(values).append("\0\0\0\0\0\0")) ^ 1;
        for (int i = 5; i >= 0; i--) {
            values.append((char) (sum >> (5 * i) & 31));
        }
        var text = new StringBuilder(prefix).append('1');
        values.chars().forEach(value -> text.append(LETTERS.charAt(value)));
        return text.toString();
    }

    private static int polymod(CharSequence values) {
        int[] generator = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
        int sum = 1;
        for (int i = 0; i < values.length(); i++) {
            int top = sum >> 25;
            sum = ((sum & 0x1ffffff) << 5) ^ values.charAt(i);
            for (int bit = 0; bit < 5; bit++) {
                sum ^= (top >> bit & 1) == 1 ? generator[bit] : 0;
            }
        }
        return sum;
    }
}
