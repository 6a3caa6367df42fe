package dev.grapnel.store.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One life of a [CrashWriter], from its start to kill -9, and what it said meanwhile.
final class KilledWriter {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Moment moment;
    private final CountDownLatch reached;
    private final Thread reader;
    private final NavigableMap<Long, String> outcomes = new TreeMap<>();
    private final List<Long> failed = new ArrayList<>();
    private final List<String> copied = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private long submitted;
    private String last = "nothing";

    /// When it is killed.
    enum Moment {
        /// Some time after it was started: mostly before or while it opens the store.
        START,
        /// Around the time of some acknowledgement.
        ACKNOWLEDGEMENT,
        /// While a compact copy is written.
        COPY,
        /// While the store's file is replaced by a compact one.
        COMPACTION,
        /// While the store is closed, or opened again.
        CLOSE
    }

    private KilledWriter(Process process, Moment moment, int count) {
        this.process = process;
        this.moment = moment;
        this.reached = new CountDownLatch(count);
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /// Starts a writer, waits for its moment, kills it, and reads to the end what it said.
    static KilledWriter live(Path directory, Path copies, long seed, long first, SplittableRandom random)
            throws IOException, InterruptedException {
        var moment = draw(random);
        var arguments = new ArrayList<>(List.of(directory.toString(), Long.toString(seed), Long.toString(first)));
        int count = 1;
        switch (moment) {
            case START, CLOSE -> {}
            case ACKNOWLEDGEMENT -> count = 1 + random.nextInt(1 << random.nextInt(4, 11));
            case COPY -> arguments.add(copies.toString());
            case COMPACTION -> {
                arguments.add("compact");
                count = 1 + random.nextInt(4);
            }
        }
        var process = ChildJvm.start(
                CrashWriter.class, ChildJvm.Life.SHORT, directory.resolveSibling("errors.txt"), arguments);
        var writer = new KilledWriter(process, moment, count);
        writer.awaitMomentAndKill(random);
        return writer;
    }

    private static Moment draw(SplittableRandom random) {
        int number = random.nextInt(20);
        if (number < 4) {
            return Moment.START;
        }
        if (number < 13) {
            return Moment.ACKNOWLEDGEMENT;
        }
        return number < 15 ? Moment.COPY : number < 18 ? Moment.COMPACTION : Moment.CLOSE;
    }

    private void awaitMomentAndKill(SplittableRandom random) throws InterruptedException {
        boolean isThere = reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        long micros = switch (moment) {
            case START -> random.nextLong(600_000);
            case ACKNOWLEDGEMENT -> random.nextLong(4_000);
            case COPY -> random.nextLong(1L << random.nextInt(8, 18));
            case COMPACTION -> random.nextLong(1L << random.nextInt(8, 17));
            case CLOSE -> random.nextLong(20_000);
        };
        boolean hasEnded = process.waitFor(micros, TimeUnit.MICROSECONDS);
        process.toHandle().destroyForcibly(); // that of Process would close the pipe too
        process.waitFor();
        reader.join();
        if (!isThere) {
            complaints.add("it was not heard of for " + PATIENCE_SECONDS + " s; the last was: " + last);
        }
        if (hasEnded) {
            complaints.add("it ended by itself with " + process.exitValue() + "; the last was: " + last);
        }
    }

    private void read() {
        if (moment == Moment.START) {
            reached.countDown();
        }
        try (var lines = new BufferedReader(process.inputReader(StandardCharsets.US_ASCII))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        } catch (IOException e) {
            complaints.add(e.toString());
        }
        while (reached.getCount() > 0) {
            reached.countDown(); // it ended without being killed
        }
    }

    private void note(String line) {
        last = line;
        var words = line.split(" ", 3);
        switch (words[0]) {
            case "submit" -> submitted = Long.parseLong(words[1]);
            case "done" -> {
                outcomes.put(Long.parseLong(words[1]), words[2]);
                arrive(Moment.ACKNOWLEDGEMENT);
            }
            case "failed" -> failed.add(Long.parseLong(words[1]));
            case "copying" -> arrive(Moment.COPY);
            case "copied" -> copied.add(words[1]);
            case "compacting" -> arrive(Moment.COMPACTION);
            case "closing" -> arrive(Moment.CLOSE);
            case "start", "open", "compacted", "closed" -> {}
            default -> complaints.add(line);
        }
    }

    private void arrive(Moment what) {
        if (what == moment) {
            reached.countDown();
        }
    }

    Moment moment() {
        return moment;
    }

    /// What was acknowledged, by step.
    NavigableMap<Long, String> outcomes() {
        return outcomes;
    }

    /// Steps that broke off, as they should.
    List<Long> failed() {
        return failed;
    }

    /// Copies that were finished.
    List<String> copied() {
        return copied;
    }

    /// What must not be.
    List<String> complaints() {
        return complaints;
    }

    /// The last step that was given to the store; 0 if none was.
    long submitted() {
        return submitted;
    }
}
