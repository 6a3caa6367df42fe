package dev.grapnel.git.refs;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The file `packed-refs`: a ref per line, and behind a tag what it stands for.
final class PackedRefs {
    /// The space at the end is git's own.
    private static final String HEADER = "# pack-refs with: peeled fully-peeled sorted \n";

    private static final String TRAITS = "# pack-refs with:";
    private static final int LINE_MAX = 1 << 16;

    private final LineReader lines;
    private final TagMemory tags;
    private final Consumer<String> warnings;
    private final TreeMap<RefName, RefValue> values = new TreeMap<>();
    private boolean tagsPeeled;
    private boolean allPeeled;
    private int number;
    private @Nullable RefName last;

    private PackedRefs(InputStream in, TagMemory tags, Consumer<String> warnings) {
        this.lines = new LineReader(in, LINE_MAX);
        this.tags = tags;
        this.warnings = warnings;
    }

    /// Writes them as git would.
    static void write(Refs refs, OutputStream out) throws IOException {
        out.write(ascii(HEADER));
        for (Map.Entry<RefName, RefValue> ref : refs.values().entrySet()) {
            out.write(ascii(ref.getValue().target().toString()));
            out.write(' ');
            out.write(ref.getKey().text().getBytes(StandardCharsets.UTF_8));
            out.write('\n');
            var behind = ref.getValue().behind();
            if (behind != null) {
                out.write('^');
                out.write(ascii(behind.toString()));
                out.write('\n');
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Reads what any git wrote, sorted or not, and asks for what stands behind tags where the file does
    /// not say it.
    ///
    /// @param warnings are told of names that cannot be kept
    /// @throws IOException also if a line is no line of such a file; the message says which
    static SortedMap<RefName, RefValue> read(InputStream in, TagMemory tags, Consumer<String> warnings)
            throws IOException {
        return new PackedRefs(in, tags, warnings).read();
    }

    private SortedMap<RefName, RefValue> read() throws IOException {
        try {
            number++;
            while (lines.next()) {
                if (lines.end() == lines.start()) {
                    throw new IOException("the line is empty");
                }
                switch (lines.bytes()[lines.start()]) {
                    case '#' -> readComment();
                    case '^' -> readPeeled();
                    default -> readRef();
                }
                number++;
            }
            askForMissing();
            return values;
        } catch (IOException e) {
            throw new IOException("line " + number + ": " + e.getMessage(), e);
        }
    }

    private void readComment() {
        var text = text(lines.start(), lines.end());
        if (text.startsWith(TRAITS)) {
            allPeeled = text.contains(" fully-peeled");
            tagsPeeled = allPeeled || text.contains(" peeled");
        }
    }

    private void readPeeled() throws IOException {
        var behind = oid(lines.start() + 1);
        if (lines.end() - lines.start() != 1 + Oid.DIGITS) {
            throw new IOException("more than an object id follows ^");
        }
        if (last == null) {
            return; // it belongs to a name that was not kept
        }
        var value = values.get(last);
        if (value == null || value.behind() != null) {
            throw new IOException("a line with ^ follows no ref");
        }
        values.put(last, new RefValue(value.target(), behind));
    }

    private void readRef() throws IOException {
        var target = oid(lines.start());
        int from = lines.start() + Oid.DIGITS + 1;
        if (from >= lines.end() || lines.bytes()[from - 1] != ' ') {
            throw new IOException("not an object id, a space and a name");
        }
        for (int i = from; i < lines.end(); i++) {
            int c = lines.bytes()[i] & 0xff;
            if (c <= ' ' || c == 0x7f) {
                throw new IOException("a space or control character in the name");
            }
        }
        var text = text(from, lines.end());
        switch (RefName.parse(text)) {
            case Parsed.Valid(var name) -> {
                if (values.put(name, new RefValue(target, null)) != null) {
                    throw new IOException(name + " stands there twice");
                }
                last = name;
            }
            case Parsed.Invalid(var reason) -> {
                warnings.accept("packed-refs: " + text + ": " + reason);
                last = null;
            }
        }
    }

    private Oid oid(int from) throws IOException {
        if (lines.end() - from >= Oid.DIGITS
                && Oid.parse(text(from, from + Oid.DIGITS)) instanceof Parsed.Valid(var id)) {
            return id;
        }
        throw new IOException("not an object id of 40 lower-case hex digits");
    }

    private String text(int from, int to) {
        return new String(lines.bytes(), from, to - from, StandardCharsets.UTF_8);
    }

    private void askForMissing() throws IOException {
        if (allPeeled) {
            return;
        }
        for (var ref : values.entrySet()) {
            boolean known = ref.getValue().behind() != null
                    || (tagsPeeled && ref.getKey().isTag());
            if (!known) {
                ref.setValue(tags.value(ref.getKey(), ref.getValue().target()));
            }
        }
    }
}
