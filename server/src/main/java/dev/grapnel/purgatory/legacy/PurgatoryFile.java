package dev.grapnel.purgatory.legacy;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.legacy.ImportOutcome.Imported;
import dev.grapnel.purgatory.legacy.ImportOutcome.NoFile;
import dev.grapnel.purgatory.legacy.ImportOutcome.Refused;
import dev.grapnel.purgatory.legacy.Survey.Findings;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Upload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The file in which the existing server keeps what waits there, imported once (purgatory P-711).
///
/// What can be used becomes rows in one transaction; then the file gets another name. A crash between the two
/// imports it again, and so does a name that cannot be changed; either changes nothing, because every row is there
/// already or the store has decided about it since. A file that is not what that server writes is left alone as a
/// whole, and this server starts without it.
public final class PurgatoryFile {
    /// What the existing server calls it, in its git data directory.
    public static final String NAME = "purgatory-state.json";

    private static final Logger LOG = LoggerFactory.getLogger(PurgatoryFile.class);
    private static final String SUFFIX = ".imported";
    private static final int KEY_SHOWN = 100;

    private final Path file;
    private final EventStore store;
    private final Predicate<RepositoryAddress> hasRepository;
    private final OldUploads uploads;
    private final InstantSource clock;
    private final ImportRules rules;
    private final Disk disk;

    private PurgatoryFile(
            Path file,
            EventStore store,
            Predicate<RepositoryAddress> hasRepository,
            OldUploads uploads,
            InstantSource clock,
            ImportRules rules,
            Disk disk) {
        this.file = file.toAbsolutePath();
        this.store = store;
        this.hasRepository = hasRepository;
        this.uploads = uploads;
        this.clock = clock;
        this.rules = rules;
        this.disk = disk;
    }

    /// Imports the file if there is one. To be called before anything is served, by whoever may wait for the
    /// store; what happened is logged.
    ///
    /// @param hasRepository whether a repository is on disk; announcements of others are left out
    /// @param uploads makes staging areas of pushes that wait
    public static ImportOutcome importOnce(
            Path file,
            EventStore store,
            Predicate<RepositoryAddress> hasRepository,
            OldUploads uploads,
            InstantSource clock,
            ImportRules rules,
            Disk disk) {
        return new PurgatoryFile(file, store, hasRepository, uploads, clock, rules, disk).run();
    }

    private ImportOutcome run() {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            return new NoFile();
        }
        try {
            return importAll();
        } catch (StoreRefusal refusal) {
            return refuse("the store did not take it: " + refusal.getMessage());
        } catch (DamagedFile damage) {
            return refuse(String.valueOf(damage.getMessage()));
        } catch (IOException failure) {
            return refuse("reading it, or writing beside it, failed: " + failure);
        }
    }

    private Refused refuse(String reason) {
        var sentence = "nothing of " + file + " was imported and it stays where it is, because " + reason
                + "; mend it or move it away, then start again";
        LOG.error("purgatory.import_failed {}", sentence);
        return new Refused(sentence);
    }

    private ImportOutcome importAll() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new DamagedFile("it is not a file");
        }
        var reader = new EntryReader(rules.events());
        var check = new EntryCheck(reader);
        var findings = Survey.of(file, check, hasRepository);
        var times = OldTimes.of(findings.summary().savedAt(), clock.instant(), rules.expiry());
        if (!findings.invalid().isEmpty()) {
            SetAside.write(disk, file, findings, check);
            warn(findings);
        }
        var counts = write(reader, findings, findings.stage(uploads), times);
        boolean renamed = rename();
        report(counts, times);
        return new Imported(counts, times.downtime(), renamed);
    }

    private ImportCounts write(EntryReader reader, Findings findings, Map<Integer, List<Upload>> staged, OldTimes times)
            throws IOException {
        try {
            return store.write(Urgency.WAITING, 0, transaction -> {
                        try {
                            return RowWriter.write(file, transaction, reader, findings, staged, times, rules);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case UncheckedIOException failure -> throw Objects.requireNonNull(failure.getCause());
                case StoreRefusal refusal -> throw refusal;
                case null, default -> throw e;
            }
        }
    }

    /// An earlier file of that name, imported before, gives way to this one.
    private boolean rename() {
        var target = file.resolveSibling(file.getFileName() + SUFFIX);
        try {
            disk.rename(file, target);
            disk.forceDirectory(Objects.requireNonNull(file.getParent()));
            return true;
        } catch (IOException e) {
            LOG.error(
                    "purgatory.import_not_renamed file={} to={}: it was imported, and will be at every start until it"
                            + " is moved away; that changes nothing but takes time",
                    file,
                    target,
                    e);
            return false;
        }
    }

    private void warn(Findings findings) {
        for (var example : findings.examples()) {
            LOG.warn(
                    "purgatory.import_invalid map={} key={} reason={}",
                    example.map(),
                    shortened(example.key()),
                    example.reason());
        }
        int more = findings.invalid().cardinality() - findings.examples().size();
        if (more > 0) {
            LOG.warn("purgatory.import_invalid more={} file={}", more, SetAside.fileFor(file));
        }
    }

    private static String shortened(String key) {
        return key.length() <= KEY_SHOWN ? key : key.substring(0, KEY_SHOWN) + "…";
    }

    private static void report(ImportCounts counts, OldTimes times) {
        int noRoom = counts.of(Fate.NO_ROOM);
        if (noRoom > 0) {
            LOG.warn(
                    "purgatory.import_full entries={}: they are more than may wait here, and stay in the file", noRoom);
        }
        LOG.info("purgatory.imported {} downtime={}", counts, times.downtime());
    }
}
