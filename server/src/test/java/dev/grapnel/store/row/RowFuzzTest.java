package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Whatever the bytes, reading them ends in a row or a reason.
final class RowFuzzTest {
    private static final long SEED = 30_617;
    private static final int ROUNDS = 10_000;
    private static final List<Row> SAMPLES = RowSamples.all();

    @Test
    void randomBytesAreNoRow() {
        var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            var row = oneOf(random);
            var value = new byte[random.nextInt(200)];
            random.nextBytes(value);
            if (value.length > 0) {
                value[0] = 1;
            }
            assertInstanceOf(
                    Parsed.Invalid.class, Rows.decode(row.table(), row.key(), Bytes.wrap(value)), "round " + round);
        }
    }

    @Test
    void changedFieldsUnderRightChecksumNeverThrow() {
        var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            var row = oneOf(random);
            var fields = changed(StoredFields.of(row).toArray(), random);
            try {
                var value = Rows.seal(row.table(), row.key(), fields);
                if (Rows.decode(row.table(), row.key(), value) instanceof Parsed.Valid<Row>(var read)) {
                    assertEquals(Parsed.valid(read), Rows.decode(row.table(), row.key(), Rows.encode(read)));
                }
            } catch (RuntimeException e) {
                fail("seed " + SEED + ", round " + round + ", " + row.table(), e);
            }
        }
    }

    private static Row oneOf(Random random) {
        return SAMPLES.get(random.nextInt(SAMPLES.size()));
    }

    private static byte[] changed(byte[] fields, Random random) {
        var bytes = fields.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> {
                    int length = Math.min(bytes.length - at, random.nextInt(40));
                    System.arraycopy(bytes, random.nextInt(bytes.length - length + 1), bytes, at, length);
                }
            }
        }
        return bytes;
    }
}
