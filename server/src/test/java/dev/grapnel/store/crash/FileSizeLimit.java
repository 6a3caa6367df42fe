package dev.grapnel.store.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// How large this process may make a file (RLIMIT_FSIZE): a full disk for which nobody needs to be root. The
/// JVM ignores the signal that comes with it, so writing fails with EFBIG.
final class FileSizeLimit {
    private static final int RLIMIT_FSIZE = 1; // on Linux and macOS

    private FileSizeLimit() {}

    /// No file may become larger from now on.
    static void set(long bytes) {
        try (var arena = Arena.ofConfined()) {
            var limits = arena.allocate(ValueLayout.JAVA_LONG, 2);
            call("getrlimit", limits);
            limits.setAtIndex(ValueLayout.JAVA_LONG, 0, bytes);
            call("setrlimit", limits);
        }
    }

    /// As large as whoever started it allows.
    static void lift() {
        try (var arena = Arena.ofConfined()) {
            var limits = arena.allocate(ValueLayout.JAVA_LONG, 2);
            call("getrlimit", limits);
            limits.setAtIndex(ValueLayout.JAVA_LONG, 0, limits.getAtIndex(ValueLayout.JAVA_LONG, 1));
            call("setrlimit", limits);
        }
    }

    @SuppressWarnings("restricted") // the limits of a process are set by the system only
    private static void call(String function, MemorySegment limits) {
        var linker = Linker.nativeLinker();
        var handle = linker.downcallHandle(
                linker.defaultLookup().findOrThrow(function),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try {
            if ((int) handle.invokeExact(RLIMIT_FSIZE, limits) != 0) {
                throw new IllegalStateException(function + " failed");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
