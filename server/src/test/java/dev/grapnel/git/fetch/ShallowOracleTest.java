package dev.grapnel.git.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Wherever a client's history ends, and whatever it asks for: it is told the same ends as git tells it.
final class ShallowOracleTest {
    private static final int HISTORIES = 24;
    private static final int QUESTIONS = 14;
    private static final int EVERYTHING = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    /// What a client asks for.
    private record Question(List<String> wants, List<String> ends, List<String> cut, boolean relative) {
        /// Git looks at dates to find out what is reached, and is wrong about it when clocks were; what needs no
        /// such search it answers right.
        Question whateverTheClocks() {
            var kept = cut.stream()
                    .map(line -> line.startsWith("deepen-not ") ? "deepen 3" : line)
                    .distinct()
                    .toList();
            return new Question(wants, ends, kept, false);
        }
    }

    @Test
    void everyCutEndsWhereGitsDoes() throws Exception {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var random = new Random(seed);
            try (var served = new Served(directory.resolve("history" + seed))) {
                boolean clocksAreRight = seed % 3 != 0;
                var history = RandomHistory.write(served.git(), random, clocksAreRight);
                var offer = served.offer(_ -> false);
                for (int i = 0; i < QUESTIONS; i++) {
                    var question = question(history, random, served);
                    compare(
                            clocksAreRight ? question : question.whateverTheClocks(),
                            served,
                            offer,
                            "seed " + seed + " question " + i);
                }
            }
        }
    }

    private static Question question(RandomHistory history, Random random, Served served) {
        var wants = new TreeSet<String>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            wants.add(
                    random.nextInt(3) > 0
                            ? served.git().run("rev-parse", oneOf(history.names(), random))
                            : oneOf(history.commits(), random));
        }
        var ends = new TreeSet<String>();
        for (int i = 0; i < random.nextInt(6); i++) {
            ends.add(oneOf(history.commits(), random));
        }
        var cut = switch (random.nextInt(6)) {
            case 0 -> List.of("deepen-since " + (oneOf(history.dates(), random) + random.nextInt(3) - 1));
            case 1 -> List.of("deepen-not " + oneOf(history.names(), random));
            case 2 ->
                List.of("deepen-not " + oneOf(history.names(), random), "deepen-not " + oneOf(history.names(), random));
            case 3 -> List.of("deepen " + EVERYTHING);
            default -> List.of("deepen " + (1 + random.nextInt(7)));
        };
        return new Question(List.copyOf(wants), List.copyOf(ends), cut, random.nextBoolean());
    }

    private static <T> T oneOf(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static void compare(Question question, Served served, Offer offer, String which) throws Exception {
        for (boolean version2 : new boolean[] {false, true}) {
            var request = version2 ? version2(question) : version0(question);
            assertEquals(
                    ends(served.answerOfGit(request, version2)),
                    ends(Served.answer(offer, request, version2)),
                    () -> which + (version2 ? " version 2 " : " version 0 ") + question);
        }
    }

    private static byte[] version0(Question question) throws IOException {
        var lines = new ArrayList<String>();
        for (var want : question.wants()) {
            var capabilities = question.relative() ? " deepen-relative side-band-64k" : " side-band-64k";
            lines.add("want " + want + (lines.isEmpty() ? capabilities : ""));
        }
        question.ends().forEach(end -> lines.add("shallow " + end));
        lines.addAll(question.cut());
        return Served.version0(lines, List.of());
    }

    private static byte[] version2(Question question) throws IOException {
        var lines = new ArrayList<String>();
        question.wants().forEach(want -> lines.add("want " + want));
        question.ends().forEach(end -> lines.add("shallow " + end));
        if (question.relative()) {
            lines.add("deepen-relative");
        }
        lines.addAll(question.cut());
        lines.add("done");
        return Served.version2("fetch", lines);
    }

    /// Where history is to end, and where no more. Git says nothing at all if nothing is left to send.
    private static String ends(byte[] answer) throws IOException {
        return Served.lines(answer).stream()
                .filter(line -> line.startsWith("shallow ") || line.startsWith("unshallow "))
                .distinct() // git repeats what it meets twice
                .sorted()
                .collect(Collectors.joining("\n"));
    }
}
