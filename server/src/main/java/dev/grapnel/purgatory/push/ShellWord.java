package dev.grapnel.purgatory.push;

/// A word of a command that people copy into a shell. Strangers choose names of refs, and git forbids neither
/// `$(…)` nor quotes in them.
public final class ShellWord {
    private static final String PLAIN = "-_./:@%+=,";

    private ShellWord() {}

    /// As it is if no shell finds anything in it, else in quotes inside which none does.
    public static String quoted(String word) {
        boolean plain = !word.isEmpty() && word.chars().allMatch(ShellWord::isPlain);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }
}
