package dev.grapnel.command;

import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them.
final class Figures {
    private static final long KIB = 1_024;

    private Figures() {}

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /// A number of things.
    static String count(long value, String thing) {
        return number(value) + " " + thing + (value == 1 ? "" : "s");
    }

    static String repositories(long value) {
        return number(value) + (value == 1 ? " repository" : " repositories");
    }

    static String bytes(long value) {
        if (value < KIB) {
            return count(value, "byte");
        }
        double scaled = value;
        int unit = -1;
        while (scaled >= KIB) {
            scaled /= KIB;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %ciB", scaled, "KMGTPE".charAt(unit));
    }

    /// Events in a second.
    static String rate(long events, Duration time) {
        return number(Math.round(events / Math.max(0.001, time.toNanos() / 1e9))) + "/s";
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toNanos() / 1e9);
    }

    /// Minutes and seconds, or hours and minutes.
    static String clock(Duration time) {
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d h %02d min", time.toHours(), time.toMinutesPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }
}
