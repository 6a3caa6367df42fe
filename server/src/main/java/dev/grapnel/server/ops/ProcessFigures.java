package dev.grapnel.server.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What Linux tells about this process, under the names every exporter uses. Absent where there is no `/proc`.
final class ProcessFigures {
    /// Ticks of a second in `/proc`: fixed towards programs, whatever the kernel uses inside.
    private static final double TICKS = 100;

    private static final double BYTES_IN_KB = 1024;

    private final Path self;
    private final KernelFile status;
    private final KernelFile stat;
    private final KernelFile bootStat;

    private ProcessFigures(Path root) {
        self = root.resolve("proc/self");
        status = new KernelFile(self.resolve("status"));
        stat = new KernelFile(self.resolve("stat"));
        bootStat = new KernelFile(root.resolve("proc/stat"));
    }

    static void addTo(Metrics metrics, Path root) {
        var figures = new ProcessFigures(root);
        if (figures.stat.exists()) {
            figures.addTo(metrics);
        }
    }

    private void addTo(Metrics metrics) {
        var limits = new KernelFile(self.resolve("limits"));
        metrics.counter("process_cpu_seconds_total", "User and system time of the process", this::cpuSeconds);
        metrics.gauge("process_open_fds", "Open file descriptors", this::openFiles);
        metrics.gauge("process_max_fds", "Most file descriptors", () -> limits.numberBehind("Max open files"));
        metrics.gauge(
                "process_virtual_memory_bytes", "Virtual memory", () -> status.numberBehind("VmSize:") * BYTES_IN_KB);
        metrics.gauge(
                "process_resident_memory_bytes", "Resident memory", () -> status.numberBehind("VmRSS:") * BYTES_IN_KB);
        metrics.gauge("process_threads", "Threads of the operating system", () -> status.numberBehind("Threads:"));
        metrics.gauge("process_start_time_seconds", "Start of the process, in seconds since 1970", this::startTime);
    }

    private double cpuSeconds() {
        return (field(14) + field(15)) / TICKS;
    }

    private double startTime() {
        return bootStat.numberBehind("btime ") + field(22) / TICKS;
    }

    /// A field of `stat` by its number in the manual. The second, the program's name, may hold spaces and
    /// brackets, so they are counted from the last bracket on.
    private double field(int number) {
        var lines = stat.lines();
        int bracket = lines.isEmpty() ? -1 : lines.getFirst().lastIndexOf(')');
        if (bracket < 0) {
            return Double.NaN;
        }
        var fields = lines.getFirst().substring(bracket + 1).strip().split(" ", -1);
        return number - 3 < fields.length ? KernelFile.parse(fields[number - 3]) : Double.NaN;
    }

    private double openFiles() {
        try (var files = Files.list(self.resolve("fd"))) {
            return files.count();
        } catch (IOException | UncheckedIOException _) {
            return Double.NaN; // told as a figure that is missing
        }
    }
}
