package dev.grapnel.bench;

import dev.grapnel.nostr.event.Event;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Writes a [Community]'s events as lines of JSON, and what they are to the standard error stream.
public final class Generator {
    private static final String STANDARD_OUTPUT = "-";
    private static final int BUFFER = 1 << 20;

    private final OutputStream out;
    private final Map<Integer, Tally> kinds = new TreeMap<>();
    private final Tally all = new Tally();

    private Generator(OutputStream out) {
        this.out = out;
    }

    /// Writes them.
    ///
    /// @param args how many, seed, file (`-` is the standard output), signatures (`real` or `made-up`)
    public static void main(String[] args) throws IOException, InterruptedException {
        var community = new Community(Long.parseLong(args[1]), Integer.parseInt(args[0]));
        var signatures = Signatures.valueOf(args[3].toUpperCase(Locale.ROOT).replace('-', '_'));
        long start = System.nanoTime();
        try (var out = new BufferedOutputStream(open(args[2]), BUFFER)) {
            var generator = new Generator(out);
            community.forEach(signatures, generator::write);
            generator.report((System.nanoTime() - start) / 1e9);
        }
    }

    private static OutputStream open(String file) throws IOException {
        return file.equals(STANDARD_OUTPUT)
                ? new FileOutputStream(FileDescriptor.out)
                : Files.newOutputStream(Path.of(file));
    }

    private void write(Event event) {
        var json = event.json();
        try {
            json.stream().transferTo(out);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kinds.computeIfAbsent(event.kind(), _ -> new Tally()).add(json.length());
        all.add(json.length());
    }

    private void report(double seconds) {
        System.err.printf(
                Locale.ROOT,
                "%,d events, %,d bytes without line ends, %.1f s, %,.0f events/s%n%n",
                all.count,
                all.bytes,
                seconds,
                all.count / seconds);
        System.err.println("| Kind | Events | % | Bytes on average | Largest |\n|--:|--:|--:|--:|--:|");
        kinds.forEach((kind, tally) -> row(Integer.toString(kind), tally));
        row("all", all);
    }

    private void row(String kind, Tally tally) {
        System.err.printf(
                Locale.ROOT,
                "| %s | %,d | %.2f | %,d | %,d |%n",
                kind,
                tally.count,
                100.0 * tally.count / all.count,
                tally.bytes / tally.count,
                tally.largest);
    }

    /// Counts events and their bytes.
    private static final class Tally {
        private long count;
        private long bytes;
        private int largest;

        void add(int length) {
            count++;
            bytes += length;
            largest = Math.max(largest, length);
        }
    }
}
