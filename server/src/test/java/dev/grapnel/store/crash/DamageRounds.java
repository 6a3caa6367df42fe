package dev.grapnel.store.crash;

import static dev.grapnel.store.crash.CrashWriter.say;

import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;

/// Damages a [Specimen] in another way each time, and does all there is to do with it. Says `seed 17` before
/// each round, so that whoever listens knows which one ended the process or never came to an end, and after it
/// `outcome` with what came of it.
final class DamageRounds {
    private static final int PAGE = 4096;
    private static final int WRITES = 30;

    /// What came of a damage.
    enum Outcome {
        /// The store does not open, and says why.
        NOT_OPENED,
        /// The check of the file's structure finds it, and nothing is written.
        PAGES,
        /// The check of the tables finds it.
        TABLES,
        /// Nobody finds anything, and every byte of every table is as it was: a free or unused place was hit.
        HARMLESS,
        /// Nobody finds anything, but something changed.
        SILENT
    }

    private final Path directory;
    private final Specimen specimen;

    private DamageRounds(Path directory, Specimen specimen) {
        this.directory = directory;
        this.specimen = specimen;
    }

    /// Arguments: an empty directory, rounds, first seed.
    static void main(String... arguments) throws IOException {
        var root = Path.of(arguments[0]);
        long first = Long.parseLong(arguments[2]);
        long end = first + Long.parseLong(arguments[1]);
        try (var specimen = new Specimen(Files.createDirectory(root.resolve("sound")))) {
            say("specimen " + specimen);
            var rounds = new DamageRounds(Files.createDirectory(root.resolve("damaged")), specimen);
            for (long seed = first; seed < end; seed++) {
                say("seed " + seed);
                say("outcome " + rounds.run(seed));
            }
        }
        say("complete");
    }

    private String run(long seed) throws IOException {
        Files.write(directory.resolve("data.mdb"), damaged(new Random(seed)));
        var heard = new ArrayList<String>();
        LmdbEngine engine;
        try {
            engine = LmdbEngine.open(directory, CrashWriter.LMDB);
        } catch (StoreFailure | StoreDamage _) {
            return Outcome.NOT_OPENED.toString();
        }
        TableStore store;
        try {
            store = Specimen.storeOn(engine, heard);
        } catch (StoreFailure | StoreDamage _) {
            engine.close();
            return Outcome.NOT_OPENED.toString();
        }
        try (store) {
            return examine(seed, engine, store, heard);
        }
    }

    private String examine(long seed, LmdbEngine engine, TableStore store, List<String> heard) {
        var answers = new Questions(specimen).ask(store);
        var impression = impression(answers, heard);
        var pages = engine.checkPages();
        var tables = new ArrayList<String>();
        StoreCheck.run(engine, tables::add, _ -> {});
        if (pages.isEmpty() && tables.isEmpty()) {
            try (var found = engine.pin();
                    var expected = specimen.tables()) {
                var differences = TableDifference.of(found, expected);
                if (!differences.isEmpty() || !answers.equals(specimen.answers)) {
                    return Outcome.SILENT + " " + impression + " " + differences;
                }
            }
        }
        int written = write(store);
        if (!pages.isEmpty() && written > 0) {
            throw new AssertionError("seed " + seed + ": written to a broken structure: " + pages);
        }
        if (pages.isEmpty() && !engine.checkPages().isEmpty()) {
            throw new AssertionError("seed " + seed + ": writing broke the structure: " + engine.checkPages());
        }
        var outcome = !pages.isEmpty() ? Outcome.PAGES : !tables.isEmpty() ? Outcome.TABLES : Outcome.HARMLESS;
        return outcome + " " + impression;
    }

    /// What somebody who only asks would have noticed.
    private String impression(Map<String, String> answers, List<String> heard) {
        boolean isReported = !heard.isEmpty();
        var different = "";
        for (var entry : specimen.answers.entrySet()) {
            var answer = answers.get(entry.getKey());
            if (answer != null && answer.startsWith(Questions.REPORTED)) {
                isReported = true;
            } else if (!entry.getValue().equals(answer)) {
                different = "-different " + entry.getKey();
                if (answer != null && answer.contains("unasked")) {
                    different = "-different+unasked " + entry.getKey();
                    break;
                }
            }
        }
        return (isReported ? "reported" : "unreported") + (different.isEmpty() ? "-right" : different);
    }

    /// Tries to write; says how much was taken.
    private static int write(TableStore store) {
        int taken = 0;
        for (int i = 1; i <= WRITES; i++) {
            try {
                store.write(Urgency.WAITING, 0, Specimen.nextStep(i).work()).join();
                taken++;
            } catch (CompletionException e) {
                boolean isMeant = e.getCause() instanceof IllegalStateException failure
                        && String.valueOf(failure.getMessage()).startsWith("step ");
                if (!(e.getCause() instanceof StoreRefusal) && !isMeant) {
                    throw e;
                }
            }
        }
        return taken;
    }

    private byte[] damaged(Random random) {
        var bytes = specimen.bytes.clone();
        int pages = bytes.length / PAGE;
        switch (random.nextInt(10)) {
            case 0 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 1 -> {
                int page = random.nextInt(pages);
                int count = Math.min(1 + random.nextInt(8), pages - page);
                Arrays.fill(bytes, page * PAGE, (page + count) * PAGE, (byte) 0);
            }
            case 2 ->
                System.arraycopy(
                        specimen.bytes, random.nextInt(pages) * PAGE, bytes, random.nextInt(pages) * PAGE, PAGE);
            default -> {
                for (int i = 1 + random.nextInt(8); i > 0; i--) {
                    flip(bytes, random);
                }
            }
        }
        return bytes;
    }

    private void flip(byte[] bytes, Random random) {
        int at = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(bytes.length / PAGE) * PAGE + random.nextInt(48); // what a page says it is
            case 1 -> specimen.indexPages.get(random.nextInt(specimen.indexPages.size())) * PAGE + random.nextInt(PAGE);
            default -> random.nextInt(bytes.length);
        };
        bytes[at] = random.nextBoolean() ? (byte) (bytes[at] ^ 1 << random.nextInt(8)) : (byte) random.nextInt();
    }
}
