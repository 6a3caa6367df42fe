package dev.grapnel.bench.purgatory;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/// Lines for a document.
public final class Report {
    private Report() {}

    /// Prints one, or several.
    public static void line(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    /// CPU this thread has used: what others do on the same cores does not count.
    public static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /// What the heap holds, in MB, after everything that can go has gone.
    public static double heapMegabytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }
}
