package dev.grapnel.purgatory.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.grapnel.git.Disk;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.legacy.ImportOutcome.Imported;
import dev.grapnel.purgatory.legacy.ImportOutcome.Refused;
import dev.grapnel.store.engine.StoreFixture;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/// A directory and a store to import into, and everything that an import may be told.
final class ImportBench implements AutoCloseable {
    private static final List<Table> TABLES = List.of(
            Table.HELD_ANNOUNCEMENTS,
            Table.HELD_STATES,
            Table.HELD_PROPOSALS,
            Table.PLACEHOLDERS,
            Table.EXPIRED_EVENTS);

    final StoreFixture store;
    final Path file;
    Predicate<RepositoryAddress> hasRepository = _ -> true;
    OldUploads uploads = OldUploads.NONE;
    ImportRules rules = ImportRules.DEFAULTS;
    Disk disk = Disk.REAL;

    private final Logger logger = (Logger) LoggerFactory.getLogger(PurgatoryFile.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    ImportBench(Path directory) {
        this(directory, new StoreFixture(new KeptMemory(10_000)));
    }

    ImportBench(Path directory, StoreFixture store) {
        this.store = store;
        this.file = directory.resolve(PurgatoryFile.NAME);
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
    }

    /// Areas for every push, named after what was pushed.
    static OldUploads areasForAll() {
        return push -> Optional.of(new AreaName(push.event().toString().substring(0, 8) + "-"
                + push.repository().identifier() + "-" + push.endpoint().name().toLowerCase(java.util.Locale.ROOT)));
    }

    ImportBench put(String json) {
        return put(json.getBytes(StandardCharsets.UTF_8));
    }

    ImportBench put(byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    ImportOutcome run() {
        return PurgatoryFile.importOnce(file, store.store(), hasRepository, uploads, store.time, rules, disk);
    }

    /// Imports what must be importable.
    ImportCounts imported() {
        return assertInstanceOf(Imported.class, run()).counts();
    }

    /// Imports what must not be: nothing has changed but the log.
    String refused() {
        var before = rows();
        var bytes = content();
        var reason = assertInstanceOf(Refused.class, run()).reason();
        assertEquals(before, rows());
        assertEquals(bytes, content());
        assertEquals(
                List.of(reason),
                logged(Level.ERROR).stream().map(line -> line.substring(24)).toList());
        assertTrue(
                reason.startsWith("nothing of " + file + " was imported and it stays where it is, because "), reason);
        log.list.clear();
        return reason;
    }

    Bytes content() {
        try {
            return Bytes.wrap(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All rows of purgatory.
    List<Row> rows() {
        return store.read(view -> {
            var rows = new ArrayList<Row>();
            TABLES.forEach(table -> view.forEachRow(table, Bytes.EMPTY, rows::add));
            return rows;
        });
    }

    Path beside(String suffix) {
        return file.resolveSibling(PurgatoryFile.NAME + suffix);
    }

    List<String> logged(Level level) {
        return log.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(log);
        logger.setAdditive(true);
        store.assertSound();
        store.close();
    }
}
