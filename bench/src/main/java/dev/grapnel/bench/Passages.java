package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/// A long text from which parts are cut. It is escaped for JSON beforehand: copying is faster than writing.
final class Passages {
    private final byte[] json;
    /// Where one may cut, ascending, both ends included.
    private final int[] cuts;

    /// @param pieces what is not to be cut
    Passages(List<String> pieces) {
        var out = new ByteArrayOutputStream();
        cuts = new int[pieces.size() + 1];
        for (int i = 0; i < pieces.size(); i++) {
            var quoted = new JsonWriter(64).string(pieces.get(i)).toArray();
            out.write(quoted, 1, quoted.length - 2);
            cuts[i + 1] = out.size();
        }
        json = out.toByteArray();
    }

    /// Some part of about this length, as it stands between the quotes of a JSON string.
    Bytes cut(Chance chance, int length) {
        int from = cutAfter(chance.below(json.length - length));
        return Bytes.copyOf(json, from, cutAfter(Math.min(from + length, json.length)));
    }

    private int cutAfter(int index) {
        int found = Arrays.binarySearch(cuts, index);
        return cuts[found < 0 ? -found - 1 : found];
    }
}
