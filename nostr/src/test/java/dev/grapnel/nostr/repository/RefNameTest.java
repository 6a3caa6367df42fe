package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RefNameTest {
    private static final List<String> GOOD = List.of(
            "refs/heads/main",
            "refs/heads/a/b",
            "refs/heads/-x",
            "refs/heads/a.b",
            "refs/heads/a@b",
            "refs/heads/@",
            "refs/heads/{}",
            "refs/heads/a.lockb",
            "refs/heads/lock",
            "refs/heads/é😀",
            "refs/heads/]",
            "refs/heads/\"'`$(x)",
            "refs/heads/HEADS",
            "refs/tags/HEAD",
            "refs/nostr/x",
            "a/b");

    private static final List<String> BAD = List.of(
            "",
            "main",
            "HEAD",
            "@",
            "/",
            "/a/b",
            "a/b/",
            "a//b",
            "refs/heads/",
            "refs/heads/.a",
            "refs/heads/a/.b",
            ".a/b",
            "refs/heads/a.lock",
            "refs/heads/a.lock/b",
            "refs/heads/.lock",
            "refs/heads/a..b",
            "refs/heads/..",
            "refs/heads/a.",
            "refs/heads/a@{b",
            "refs/heads/a b",
            "refs/heads/a~b",
            "refs/heads/a^b",
            "refs/heads/a^{}",
            "refs/heads/a:b",
            "refs/heads/a?b",
            "refs/heads/a*b",
            "refs/heads/a[b",
            "refs/heads/a\\b",
            "refs/heads/a\tb",
            "refs/heads/a\u0001",
            "refs/heads/a\u007f");

    @Test
    void rulesAreThoseOfGit() {
        for (var name : GOOD) {
            assertEquals(name, RefName.parse(name).require().toString());
        }
        for (var name : BAD) {
            assertEquals(Optional.empty(), RefName.parse(name).find(), name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refs/heads/HEAD", "refs/heads/a\u0000", "refs/heads/a\n", "refs/heads/\ud800"})
    void someNamesAreRefusedBesides(String name) {
        assertEquals(Optional.empty(), RefName.parse(name).find());
        assertThrows(IllegalArgumentException.class, () -> new RefName(name));
    }

    @Test
    void lengthIsCountedInBytes() {
        var start = RefName.BRANCHES;
        assertEquals(true, RefName.parse(start + "a".repeat(489)).find().isPresent());
        assertEquals(true, RefName.parse(start + "é".repeat(244)).find().isPresent());
        assertEquals(Optional.empty(), RefName.parse(start + "a".repeat(490)).find());
        assertEquals(Optional.empty(), RefName.parse(start + "é".repeat(245)).find());
    }

    @Test
    void gitAgreesAboutEveryName() throws IOException, InterruptedException {
        int seed = 20;
        var names = new ArrayList<>(GOOD);
        names.addAll(BAD);
        names.addAll(generated(new SplittableRandom(seed), 250));
        var answers = askGit(names);
        assertEquals(names.size(), answers.size());
        for (int i = 0; i < names.size(); i++) {
            var name = names.get(i);
            assertEquals(
                    answers.get(i),
                    RefName.parse(name).find().isPresent() ? "good" : "bad",
                    "seed " + seed + ": " + name);
        }
        assertTrue(answers.stream().filter("good"::equals).count() > 60, "enough good names");
    }

    @Test
    void orderIsThatOfBytes() {
        var names = new ArrayList<RefName>();
        for (var end : List.of("a", "a-b", "a/b", "b", "é", "\uffee", "😀", "ab", "B")) {
            names.add(RefName.branch(end).require());
        }
        var sorted = names.stream().sorted().toList();
        var byBytes = names.stream()
                .sorted((one, other) -> Arrays.compareUnsigned(bytes(one), bytes(other)))
                .toList();
        assertEquals(byBytes, sorted);
        assertEquals(0, names.getFirst().compareTo(RefName.branch("a").require()));
    }

    @Test
    void namespacesAreToldApart() {
        assertEquals(true, new RefName("refs/heads/x").isBranch());
        assertEquals(true, new RefName("refs/tags/x").isTag());
        assertEquals(true, new RefName("refs/nostr/x").isProposal());
        assertEquals(false, new RefName("refs/headsx/x").isBranch());
    }

    private static byte[] bytes(RefName name) {
        return name.text().getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> generated(RandomGenerator random, int count) {
        var parts = List.of(
                "a", "b", "HEAD", "/", "/", ".", ".lock", "@", "{", "}", "-", "~", "^", ":", "?", "*", "[", "\\", " ",
                "\t", "\u007f", "é", "😀", "lock", "refs");
        var names = new ArrayList<String>();
        while (names.size() < count) {
            var name = new StringBuilder(random.nextInt(4) == 0 ? "x" : "refs/tags/");
            int most = random.nextInt(3) > 0 ? 8 : parts.size();
            for (int i = random.nextInt(5); i >= 0; i--) {
                name.append(parts.get(random.nextInt(most)));
            }
            names.add(name.toString());
        }
        return names;
    }

    /// One shell asks git for every line, so that names reach it as bytes whatever the locale.
    private static List<String> askGit(List<String> names) throws IOException, InterruptedException {
        var script = "while IFS= read -r name; do"
                + " if git check-ref-format \"$name\"; then echo good; else echo bad; fi; done";
        var shell = new ProcessBuilder("sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var feeder = Thread.ofVirtual().start(() -> feed(shell, names));
        try (var answers = shell.inputReader(StandardCharsets.UTF_8)) {
            return answers.lines().toList();
        } finally {
            feeder.join();
            shell.waitFor();
        }
    }

    private static void feed(Process shell, List<String> names) {
        try (var out = shell.outputWriter(StandardCharsets.UTF_8)) {
            for (var name : names) {
                out.write(name + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
