package dev.grapnel.server.ops;

import java.nio.file.Path;

/// What Linux tells about the whole service, whose group of processes may hold more than this one. Absent
/// without cgroup v2.
final class CgroupFigures {
    private static final String UNIFIED = "0::/";
    private static final double MICROS = 1_000_000;

    private CgroupFigures() {}

    static void addTo(Metrics metrics, Path root) {
        var mount = root.resolve("sys/fs/cgroup");
        new KernelFile(root.resolve("proc/self/cgroup"))
                .lines().stream()
                        .filter(line -> line.startsWith(UNIFIED))
                        .findFirst()
                        .ifPresent(line -> addTo(metrics, mount, line.substring(UNIFIED.length())));
    }

    private static void addTo(Metrics metrics, Path mount, String name) {
        var group = mount.resolve(name).normalize();
        if (!group.startsWith(mount)) {
            return; // a group outside of what is mounted here, as in some containers
        }
        var cpu = new KernelFile(group.resolve("cpu.stat"));
        var memory = new KernelFile(group.resolve("memory.current"));
        if (cpu.exists()) {
            metrics.counter(
                    "ngit_cgroup_cpu_seconds_total",
                    "Processor time of the service",
                    () -> cpu.numberBehind("usage_usec ") / MICROS);
        }
        if (memory.exists()) {
            metrics.gauge("ngit_cgroup_memory_current_bytes", "Memory of the service", memory::number);
        }
    }
}
