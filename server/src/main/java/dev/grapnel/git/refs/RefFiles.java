package dev.grapnel.git.refs;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the refs of a repository from its files, whoever wrote them.
final class RefFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RefFiles.class);
    private static final int ATTEMPTS = 10;
    private static final int WARNINGS_MAX = 100;
    private static final String SYMBOLIC = "ref:";

    private final Path repository;
    private final Peeler peeler;
    private final InstantSource clock;
    private final Set<String> warned = new HashSet<>();

    RefFiles(Path repository, Peeler peeler, InstantSource clock) {
        this.repository = repository;
        this.peeler = peeler;
        this.clock = clock;
    }

    /// What was read.
    ///
    /// @param inTheWay refs that are files of their own
    /// @param symbolic refs that stand for others
    record Picture(Refs refs, Stamps stamps, Set<RefName> inTheWay, Set<RefName> symbolic) {}

    Path packed() {
        return repository.resolve("packed-refs");
    }

    Path head() {
        return repository.resolve("HEAD");
    }

    /// Reads everything as it was at one moment. By one thread at a time.
    ///
    /// @param known an earlier picture, which is kept if nothing changed
    Picture read(@Nullable Refs known) throws IOException {
        if (!Files.isDirectory(repository)) {
            throw new NoSuchFileException(repository.toString(), null, "the repository is gone");
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            var now = clock.instant();
            // These before the packed file: other programs put refs there before they remove them here.
            var loose = LooseRefs.read(repository, this::warn);
            var replaced = Map.of(head(), Stamps.Stamp.of(head()), packed(), Stamps.Stamp.of(packed()));
            var refs = combine(known, loose);
            var stamps = Stamps.of(replaced, loose.places(), now);
            if (stamps.isSame()) {
                return new Picture(refs, stamps, loose.inTheWay(), Set.copyOf(loose.symbolic()));
            }
        }
        throw new IOException("the refs of " + repository + " kept changing while they were read");
    }

    private Refs combine(@Nullable Refs known, LooseRefs loose) throws IOException {
        var tags = new TagMemory(known == null ? Refs.NONE : known, peeler);
        var values = new TreeMap<>(readPacked(tags));
        for (var ref : loose.values().entrySet()) {
            values.put(ref.getKey(), tags.value(ref.getKey(), ref.getValue()));
        }
        var head = readHead();
        return known != null && head.equals(known.head()) && values.equals(known.values())
                ? known
                : new Refs(values, head);
    }

    private SortedMap<RefName, RefValue> readPacked(TagMemory tags) throws IOException {
        try (var in = Files.newInputStream(packed())) {
            return PackedRefs.read(in, tags, this::warn);
        } catch (NoSuchFileException _) {
            return new TreeMap<>();
        } catch (IOException e) {
            throw new IOException(packed() + " cannot be read, " + e.getMessage(), e);
        }
    }

    private RefName readHead() throws IOException {
        try {
            var text = LooseRefs.content(head());
            if (text.startsWith(SYMBOLIC)
                    && RefName.parse(text.substring(SYMBOLIC.length()).strip()) instanceof Parsed.Valid(var name)
                    && name.isBranch()) {
                return name;
            }
            warn("HEAD names no branch");
        } catch (NoSuchFileException _) {
            warn("HEAD is missing");
        }
        return Refs.DEFAULT_BRANCH;
    }

    private void warn(String flaw) {
        if (warned.size() < WARNINGS_MAX && warned.add(flaw)) {
            LOG.warn("ref ignored repository={} flaw={}", repository.getFileName(), flaw);
        }
    }
}
