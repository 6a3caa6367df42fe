package dev.grapnel.bench.hunt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/// A history in which somebody works on one of many files for a while, then on the next; the same one for the same
/// numbers. The program that reads it makes deltas of neighbours, so most files are deltas, as in real histories.
final class Edits {
    private static final int FILES = 1_000;
    private static final int DIRECTORIES = 40;
    private static final int CHANGED = 2; // one part in so many
    private static final int IN_A_ROW = 25;
    private static final long BEGIN = 1_600_000_000;
    private static final long MINUTE = 60;

    private final Random random = new Random(1);
    private final List<byte[]> files = new ArrayList<>();
    private final int bytes;

    /// @param bytes of each file
    Edits(int bytes) {
        this.bytes = bytes;
    }

    /// As the program `git fast-import` reads it.
    void write(int commits, OutputStream out) throws IOException {
        for (int i = 0; i < commits; i++) {
            int number = i / IN_A_ROW % FILES;
            var text = number < files.size() ? edit(number) : add();
            var head = "commit refs/heads/main\ncommitter A <a@b> " + (BEGIN + (i * MINUTE))
                    + " +0000\ndata 7\nChange\n\nM 100644 inline dir" + number % DIRECTORIES + "/file" + number
                    + ".txt\ndata " + text.length + "\n";
            out.write(head.getBytes(US_ASCII));
            out.write(text);
            out.write('\n');
        }
    }

    private byte[] add() {
        var text = lines(bytes);
        files.add(text);
        return text;
    }

    private byte[] edit(int number) {
        var text = files.get(number);
        var changed = lines(bytes / CHANGED);
        System.arraycopy(changed, 0, text, random.nextInt(text.length - changed.length), changed.length);
        return text;
    }

    private byte[] lines(int length) {
        var noise = new byte[length * 3 / 4];
        random.nextBytes(noise);
        return Base64.getMimeEncoder().encode(noise);
    }
}
