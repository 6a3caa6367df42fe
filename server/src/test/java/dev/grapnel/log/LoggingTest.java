package dev.grapnel.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.LogLevels;
import dev.grapnel.config.LogLevels.Level;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Levels, and that every event is a line of its own.
final class LoggingTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Logging start(String levels) {
        return Logging.start(LogLevels.parse(levels).require(), out);
    }

    /// What was logged, without times.
    private List<String> lines() {
        var lines = out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("^[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z +", ""))
                .toList();
        out.reset();
        return lines;
    }

    @AfterEach
    void endLog() {
        Logging.start(LogLevels.parse("error").require(), OutputStream.nullOutputStream());
    }

    private static void logEverywhere() {
        for (var name : List.of("dev.grapnel.store.A", "dev.grapnel.config.B", "org.eclipse.jetty.C")) {
            var log = LoggerFactory.getLogger(name);
            log.trace("t");
            log.debug("d");
            log.info("i");
            log.warn("w");
            log.error("e");
        }
    }

    @Test
    void packsThatMaintenanceReplacesAreNotToldOfUnlessAskedFor() {
        var packs = LoggerFactory.getLogger("org.eclipse.jgit.internal.storage.file.PackDirectory");
        start("debug");
        packs.error("a pack is gone");
        assertEquals(List.of(), lines());
        start("info,org.eclipse.jgit.internal.storage.file.PackDirectory=error");
        packs.error("a pack is gone");
        assertEquals(1, lines().size());
    }

    @Test
    void levelAloneIsForGrapnelAndLibrariesStayAtWarn() {
        start("info");
        logEverywhere();
        assertEquals(
                List.of(
                        "INFO  store.A i",
                        "WARN  store.A w",
                        "ERROR store.A e",
                        "INFO  config.B i",
                        "WARN  config.B w",
                        "ERROR config.B e",
                        "WARN  org.eclipse.jetty.C w",
                        "ERROR org.eclipse.jetty.C e"),
                lines());
    }

    @Test
    void namedPartsHaveLevelsOfTheirOwn() {
        start("error,store=warn,org.eclipse.jetty=error,nobody=trace");
        logEverywhere();
        assertEquals(
                List.of("WARN  store.A w", "ERROR store.A e", "ERROR config.B e", "ERROR org.eclipse.jetty.C e"),
                lines());
    }

    @Test
    void levelStepsToTraceAndBack() {
        var logging = start("info,config=error");
        for (var level : List.of(Level.DEBUG, Level.TRACE, Level.INFO, Level.DEBUG)) {
            logging.step();
            assertEquals(level, logging.level());
            assertEquals(List.of("INFO  log.Logging log level changed level=" + level.word()), lines());
        }
        logEverywhere();
        assertTrue(lines().containsAll(List.of("DEBUG store.A d", "ERROR config.B e")));
    }

    @Test
    void changeIsSeenAlsoWhereLittleIsLogged() {
        var logging = start("error");
        logging.step();
        assertEquals(List.of("WARN  log.Logging log level changed level=warn"), lines());
        for (int i = 0; i < 4; i++) {
            logging.step();
        }
        assertEquals("ERROR log.Logging log level changed level=error", lines().getLast());
    }

    @Test
    void startingAgainReplacesWhatWasBefore() {
        start("trace");
        start("warn");
        logEverywhere();
        assertEquals(6, lines().size());
    }

    @Test
    void linesOfManyThreadsStayWhole() {
        start("info");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                int number = i;
                threads.execute(() ->
                        LoggerFactory.getLogger("dev.grapnel.store.A").info("n={} text={}", number, "x".repeat(3_000)));
            }
        }
        var lines = new TreeSet<>(lines());
        assertEquals(200, lines.size());
        assertTrue(lines.stream().allMatch(line -> line.matches("INFO  store\\.A n=[0-9]+ text=x{3000}")));
    }

    @Test
    void logThatCannotBeWrittenStopsNobody() {
        Logging.start(LogLevels.parse("info").require(), new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("nobody reads");
            }
        });
        logEverywhere();
        start("info");
        logEverywhere();
        assertEquals(8, lines().size());
    }

    /// The names that levels may be given for are those of the packages there are.
    @Test
    void everyPartOfTheProgramCanBeNamed() throws Exception {
        var classes = Path.of(Logging.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("dev/grapnel");
        try (var parts = Files.list(classes).filter(Files::isDirectory)) {
            for (var part : parts.toList()) {
                var name = part.getFileName().toString();
                assertEquals(
                        List.of(), LogLevels.parse(name + "=info").require().unknownNames(), name);
            }
        }
    }
}
