package dev.grapnel.bench;

import dev.grapnel.nostr.key.SecretKey;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/// What made-up events consist of.
final class Texts {
    static final SecretKey KEY = SecretKey.parse("00".repeat(31) + "03").require();

    private static final List<String> WORDS = List.of(
            "the",
            "state",
            "of",
            "a",
            "repository",
            "is",
            "signed",
            "by",
            "maintainers",
            "and",
            "refs",
            "follow",
            "which",
            "branch",
            "points",
            "at",
            "commit",
            "`git push`",
            "\"quoted\"",
            "don't",
            "caf\u00e9",
            "->");
    private static final List<String> CODE = List.of(
            "return",
            "new",
            "String",
            "final",
            "(index)",
            "{",
            "}",
            "=",
            "\"text\"",
            "'\\n'",
            "// why",
            "values.get(i);",
            "if",
            "for",
            "&&",
            "==",
            "0x7f",
            "import java.util.List;");

    private Texts() {}

    static String hex(RandomGenerator random, int digits) {
        var bytes = new byte[digits / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static String word(RandomGenerator random) {
        return CODE.get(random.nextInt(4));
    }

    /// Sentences in paragraphs.
    static String prose(RandomGenerator random, int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(WORDS.get(random.nextInt(WORDS.size())));
            text.append(random.nextInt(12) == 0 ? ".\n\n" : " ");
        }
        return text.toString();
    }

    /// What `git format-patch` prints for a change of Java code, indented by tabs.
    static String diff(RandomGenerator random, String commit, int length) {
        var text = new StringBuilder("From " + commit + " Mon Sep 17 00:00:00 2001\n"
                + "From: Somebody <somebody@example.com>\nDate: Thu, 1 Jan 2026 00:00:00 +0000\n"
                + "Subject: [PATCH] Hold states whose commits have not arrived\n\n---\n");
        for (int line = 0; text.length() < length; line++) {
            text.append(line % 40 == 0 ? "@@ -" + line + ",7 +" + line + ",9 @@\n" : "");
            text.append(List.of(" ", " ", "+", "-").get(random.nextInt(4)));
            text.repeat("\t", random.nextInt(4));
            for (int words = random.nextInt(10); words > 0; words--) {
                text.append(CODE.get(random.nextInt(CODE.size()))).append(' ');
            }
            text.append('\n');
        }
        return text.append("-- \n2.50.0\n").toString();
    }
}
