package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// What people write: prose of a few thousand words, some of them frequent and most rare, and changes of
/// code.
final class Wording {
    private static final int WORDS_MAX = 4000;
    private static final int PIECES = 80_000;
    private static final int DIFF_LENGTH = 1_000_000;
    private static final List<String> SYLLABLES = List.of(
            "ba", "com", "de", "fer", "gra", "hol", "in", "ker", "lo", "mit", "nel", "or", "pul", "quo", "re", "sta",
            "ta", "ur", "ver", "wi", "xen", "yl", "zo");
    private static final List<String> ORNAMENTS =
            List.of("`git push`", "\"quoted\"", "don't", "café", "->", "https://example.com/a?b=c&d=1", "🚀", "größer");

    private static final Wording SHARED = new Wording();

    private final List<String> words = words();
    private final Passages prose;
    private final Passages diffs;

    private Wording() {
        var chance = new Chance(1);
        prose = new Passages(sentences(chance));
        diffs = new Passages(Texts.diff(new Random(1), "0", DIFF_LENGTH)
                .lines()
                .skip(6) // the head, which each patch has of its own
                .map(line -> line + "\n")
                .toList());
    }

    /// The same for all communities; making it takes a while.
    static Wording shared() {
        return SHARED;
    }

    /// One word, lower case.
    String word(Chance chance) {
        return chance.pickSkewed(words);
    }

    /// The word that belongs to a number.
    String word(long number) {
        return words.get((int) Math.floorMod(number, (long) words.size()));
    }

    /// A few words without anything that JSON would escape.
    String title(Chance chance) {
        return words(chance, chance.between(15, 50));
    }

    /// Words of about so many letters, without anything that JSON would escape.
    String words(Chance chance, int length) {
        var text = new StringBuilder(word(chance));
        while (text.length() < length) {
            text.append(' ').append(word(chance));
        }
        return text.toString();
    }

    /// Sentences of about so many bytes, escaped.
    Bytes prose(Chance chance, int length) {
        return prose.cut(chance, length);
    }

    /// Lines of a diff of about so many bytes, escaped.
    Bytes diff(Chance chance, int length) {
        return diffs.cut(chance, length);
    }

    private List<String> sentences(Chance chance) {
        var pieces = new ArrayList<String>();
        for (int i = 0; i < PIECES; i++) {
            var word = chance.percent(3) ? chance.pick(ORNAMENTS) : word(chance);
            int end = chance.below(60);
            pieces.add(word + (end == 0 ? ".\n\n" : end < 5 ? ". " : end < 9 ? ", " : " "));
        }
        return pieces;
    }

    private static List<String> words() {
        var chance = new Chance(2);
        var made = new TreeSet<String>();
        while (made.size() < WORDS_MAX) {
            var word = new StringBuilder();
            for (int i = chance.between(1, 4); i > 0; i--) {
                word.append(chance.pick(SYLLABLES));
            }
            made.add(word.toString());
        }
        var shuffled = new ArrayList<>(made);
        Collections.shuffle(shuffled, new Random(2));
        return List.copyOf(shuffled);
    }
}
