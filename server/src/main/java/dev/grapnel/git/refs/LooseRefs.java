package dev.grapnel.git.refs;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Refs that are files of their own below `refs`: other programs write them so.
final class LooseRefs {
    private static final int FILE_BYTES_MAX = 1024;
    private static final int DEPTH_MAX = 250;

    private final Path repository;
    private final Consumer<String> warnings;
    private final Map<Path, Stamps.Stamp> places = new LinkedHashMap<>();
    private final Map<RefName, Oid> values = new TreeMap<>();
    private final Set<RefName> broken = new HashSet<>();
    private final Set<RefName> symbolic = new HashSet<>();

    private LooseRefs(Path repository, Consumer<String> warnings) {
        this.repository = repository;
        this.warnings = warnings;
    }

    /// Reads them all; other programs may change them meanwhile.
    static LooseRefs read(Path repository, Consumer<String> warnings) throws IOException {
        var refs = new LooseRefs(repository, warnings);
        refs.readDirectory(repository.resolve("refs"), "refs", 1);
        return refs;
    }

    /// Directories and files they were found in, as they looked before: where to look for a change.
    Map<Path, Stamps.Stamp> places() {
        return places;
    }

    /// Those that name an object.
    Map<RefName, Oid> values() {
        return values;
    }

    /// Those that stand for others.
    Set<RefName> symbolic() {
        return symbolic;
    }

    /// Names of files that have to go before a ref can be written elsewhere.
    Set<RefName> inTheWay() {
        var names = new HashSet<>(values.keySet());
        names.addAll(broken);
        return names;
    }

    private void readDirectory(Path directory, String name, int depth) throws IOException {
        places.put(directory, Stamps.Stamp.of(directory));
        if (depth > DEPTH_MAX) {
            warnings.accept(name + ": too deep");
            return;
        }
        try (var entries = Files.newDirectoryStream(directory)) {
            for (var entry : entries) {
                var below = name + "/" + entry.getFileName();
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    readDirectory(entry, below, depth + 1);
                } else if (!below.endsWith(".lock")) {
                    readFile(entry, below);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            // gone meanwhile, or never there: then nothing is in it
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void readFile(Path file, String text) throws IOException {
        places.put(file, Stamps.Stamp.of(file));
        switch (RefName.parse(text)) {
            case Parsed.Valid(var name) -> readRef(file, name);
            case Parsed.Invalid(var reason) -> warnings.accept(text + ": " + reason);
        }
    }

    private void readRef(Path file, RefName name) throws IOException {
        if (Files.isSymbolicLink(file)) {
            symbolic.add(name);
            return;
        }
        String text;
        try {
            text = content(file);
        } catch (NoSuchFileException _) {
            return; // gone meanwhile
        }
        if (text.startsWith("ref:")) {
            symbolic.add(name);
        } else if (Oid.parse(text.strip()) instanceof Parsed.Valid(var id) && !id.isZero()) {
            values.put(name, id);
        } else {
            broken.add(name);
            warnings.accept(repository.getFileName() + "/" + name + ": no object id in this file");
        }
    }

    /// The beginning of a small file, in which anything may stand.
    static String content(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8);
        }
    }
}
