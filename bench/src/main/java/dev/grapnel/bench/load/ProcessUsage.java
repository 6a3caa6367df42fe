package dev.grapnel.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What a process of this machine has used so far: CPU of all its threads, memory that is resident now and was
/// at most.
record ProcessUsage(double cpuSeconds, long residentBytes, long peakBytes) {
    private static final double TICKS_PER_SECOND = 100; // USER_HZ, which Linux shows to programs on every machine
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final long KIB = 1024;

    /// Reads it from `/proc`.
    static ProcessUsage of(long pid) throws IOException {
        var directory = Path.of("/proc", Long.toString(pid));
        return parse(Files.readString(directory.resolve("stat")), Files.readAllLines(directory.resolve("status")));
    }

    /// @param stat one line, whose second word may hold anything between its parentheses
    static ProcessUsage parse(String stat, List<String> status) {
        var words = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        double ticks = Double.parseDouble(words.get(USER_TIME)) + Double.parseDouble(words.get(SYSTEM_TIME));
        return new ProcessUsage(ticks / TICKS_PER_SECOND, size(status, "VmRSS:"), size(status, "VmHWM:"));
    }

    private static long size(List<String> status, String name) {
        return status.stream()
                        .filter(line -> line.startsWith(name))
                        .map(line ->
                                line.substring(name.length()).replace("kB", "").strip())
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(0)
                * KIB;
    }
}
