package dev.grapnel.store.lmdb;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Takes from this thread the right to change a directory and the files in it, until it is closed. Permissions
/// do not bind the root user, so if that is who runs the tests, this thread is somebody else meanwhile.
final class ReadOnlyDirectory implements AutoCloseable {
    private static final int NOBODY = 65_534;

    private final Map<Path, Set<PosixFilePermission>> before = new LinkedHashMap<>();
    private final int user;

    ReadOnlyDirectory(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                set(file, "r--r--r--");
            }
        }
        set(directory, "r-xr-xr-x");
        user = become(NOBODY);
    }

    private void set(Path path, String permissions) throws IOException {
        before.put(path, Files.getPosixFilePermissions(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /// Changes as whom this thread uses files, which only root can and only Linux offers.
    ///
    /// @return who it was before
    @SuppressWarnings("restricted") // only the system can tell
    private static int become(int user) {
        var linker = Linker.nativeLinker();
        var function = linker.defaultLookup().find("setfsuid");
        if (function.isEmpty()) {
            return user;
        }
        var handle = linker.downcallHandle(
                function.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            return (int) handle.invokeExact(user);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        become(user);
        for (var path : before.keySet()) {
            Files.setPosixFilePermissions(path, before.get(path));
        }
    }
}
