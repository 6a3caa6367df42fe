package dev.grapnel.sync.sim;

import java.util.Comparator;
import java.util.Locale;

/// Something that happens in a story, or somebody who is in it: the third post, the second relay. Each has chance of
/// its
/// own, so any of them can be left out and the others stay as they are.
record Act(Kind kind, int number) implements Comparable<Act> {
    private static final Comparator<Act> ORDER = Comparator.comparing(Act::kind).thenComparingInt(Act::number);

    /// What happens.
    enum Kind {
        NODE(0),
        RELAY(1),
        LIAR(2),
        REPO(3),
        POST(4),
        FAULT(5);

        private final int place;

        Kind(int place) {
            this.place = place;
        }

        /// From which its chance is made.
        int place() {
            return place;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public int compareTo(Act other) {
        return ORDER.compare(this, other);
    }

    /// @throws IllegalArgumentException if it is none
    static Act parse(String text) {
        int digits = text.length();
        while (digits > 0 && Character.isDigit(text.charAt(digits - 1))) {
            digits--;
        }
        return new Act(
                Kind.valueOf(text.substring(0, digits).toUpperCase(Locale.ROOT)),
                Integer.parseInt(text.substring(digits)));
    }

    @Override
    public String toString() {
        return kind.word() + number;
    }
}
