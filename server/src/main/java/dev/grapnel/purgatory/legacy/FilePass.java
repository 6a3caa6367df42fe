package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Optional;

/// One walk through the file from its first byte to its last, an entry at a time. Several walks see the same
/// entries in the same order, or different [Summary]s.
final class FilePass {
    /// An event of the largest size, each of its tags on many lines and indented, and what stands beside it.
    static final int ENTRY_BYTES_MAX = 16 << 20;

    /// Far more than any server keeps; what is remembered about each is a bit.
    static final int ENTRIES_MAX = 1 << 24;

    private static final int VERSION = 1;

    private final JsonCutter cutter;
    private final Visitor visitor;
    private int entries;

    /// Who looks at the entries.
    interface Visitor {
        /// The next entry.
        ///
        /// @param number from 0
        /// @param json nothing if it is longer than [#ENTRY_BYTES_MAX]
        void entry(int number, OldMap map, String key, Optional<byte[]> json) throws IOException;
    }

    /// What a walk found besides entries.
    ///
    /// @param hash of the whole file
    record Summary(OldTime savedAt, int entries, Bytes hash) {}

    private FilePass(InputStream in, Visitor visitor) {
        this.cutter = new JsonCutter(in, ENTRY_BYTES_MAX);
        this.visitor = visitor;
    }

    /// Walks.
    ///
    /// @throws DamagedFile if it is not a file of the existing server, or one of another version; the visitor may
    ///     have seen entries by then
    static Summary walk(Path file, Visitor visitor) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file), sha256())) {
            var pass = new FilePass(in, visitor);
            var savedAt = pass.document();
            return new Summary(
                    savedAt, pass.entries, Bytes.wrap(in.getMessageDigest().digest()));
        }
    }

    private OldTime document() throws IOException {
        var seen = new HashSet<String>();
        Optional<byte[]> version = Optional.empty();
        Optional<byte[]> savedAt = Optional.empty();
        cutter.open('{');
        while (cutter.hasMore('}')) {
            var name = cutter.name();
            var map = OldMap.find(name);
            if (map.isPresent()) {
                requireFirst(seen.add(name), name);
                map(map.get());
            } else if (name.equals("version")) {
                requireFirst(version.isEmpty(), name);
                version = cutter.value();
            } else if (name.equals("saved_at")) {
                requireFirst(savedAt.isEmpty(), name);
                savedAt = cutter.value();
            } else {
                cutter.skip();
            }
        }
        cutter.end();
        requireVersion(version);
        return time(savedAt);
    }

    private static void requireFirst(boolean isFirst, String name) throws DamagedFile {
        if (!isFirst) {
            throw new DamagedFile("it has " + name + " twice, and nobody can say which was meant");
        }
    }

    private static void requireVersion(Optional<byte[]> written) throws DamagedFile {
        var json = written.orElseThrow(() -> new DamagedFile("it has no version, so it is another kind of file"));
        var scanner = new JsonScanner(json, 0, json.length, 1);
        if (scanner.next() != JsonToken.NUMBER || scanner.plainInteger() < 0) {
            throw new DamagedFile("its version is not a number");
        }
        if (scanner.plainInteger() != VERSION) {
            throw new DamagedFile(
                    "it has version " + scanner.plainInteger() + ", and only version " + VERSION + " is known");
        }
    }

    private static OldTime time(Optional<byte[]> written) throws DamagedFile {
        try {
            return EntryScan.time(
                    written.orElseThrow(() -> new DamagedFile("it does not say when it was saved (saved_at)")));
        } catch (UnfitEntry _) {
            throw new DamagedFile("its saved_at is not a time");
        }
    }

    private void map(OldMap map) throws IOException {
        cutter.open('{');
        while (cutter.hasMore('}')) {
            var key = cutter.name();
            if (map == OldMap.STATES) {
                cutter.open('[');
                while (cutter.hasMore(']')) {
                    entry(map, key);
                }
            } else {
                entry(map, key);
            }
        }
    }

    private void entry(OldMap map, String key) throws IOException {
        if (entries == ENTRIES_MAX) {
            throw new DamagedFile("it has more than " + ENTRIES_MAX + " entries");
        }
        visitor.entry(entries++, map, key, cutter.value());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
