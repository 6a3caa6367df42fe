package dev.grapnel.bench.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;

/// What the relay and the tool itself use between two moments.
final class Meter {
    private static final double MIB = 1 << 20;

    private final OptionalLong pid;
    private final Optional<ProcessUsage> before;
    private final long begin = System.nanoTime();
    private final long ownBefore = ownCpuNanos();

    private Meter(OptionalLong pid, Optional<ProcessUsage> before) {
        this.pid = pid;
        this.before = before;
    }

    static Meter start(Target target) throws IOException {
        return new Meter(target.pid(), read(target.pid()));
    }

    /// Of what the tool does itself, without a relay.
    static Meter startOwn() {
        return new Meter(OptionalLong.empty(), Optional.empty());
    }

    /// Ends it.
    ///
    /// @param operations by which the relay's CPU is divided
    /// @param what their name
    Reading finish(long operations, String what) throws IOException {
        return reading(read(pid), operations, what);
    }

    /// Ends what was begun with [#startOwn].
    Reading finishOwn(long operations, String what) {
        return reading(Optional.empty(), operations, what);
    }

    private Reading reading(Optional<ProcessUsage> after, long operations, String what) {
        long wall = System.nanoTime() - begin;
        return new Reading(wall, (double) (ownCpuNanos() - ownBefore) / wall, before, after, operations, what);
    }

    /// What was used.
    record Reading(
            long nanos,
            double ownCores,
            Optional<ProcessUsage> before,
            Optional<ProcessUsage> after,
            long operations,
            String what) {
        double seconds() {
            return nanos / 1e9;
        }

        void addTo(Figures figures) {
            if (before.isPresent() && after.isPresent()) {
                var from = before.get();
                var to = after.get();
                double cpu = to.cpuSeconds() - from.cpuSeconds();
                figures.put("relay CPU, cores", cpu / seconds());
                if (operations > 0) {
                    figures.put("relay CPU per 1,000 " + what + ", ms", 1e6 * cpu / operations);
                }
                figures.put("relay memory before, MiB", from.residentBytes() / MIB);
                figures.put("relay memory after, MiB", to.residentBytes() / MIB);
                figures.put("relay memory peak, MiB", to.peakBytes() / MIB);
            }
            figures.put("tool CPU, cores", ownCores);
            if (operations > 0) {
                figures.put("tool CPU per 1,000 " + what + ", ms", 1e6 * ownCores * seconds() / operations);
            }
        }
    }

    private static Optional<ProcessUsage> read(OptionalLong pid) throws IOException {
        return pid.isPresent() ? Optional.of(ProcessUsage.of(pid.getAsLong())) : Optional.empty();
    }

    private static long ownCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
