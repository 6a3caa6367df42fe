package dev.grapnel.server;

import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.Readiness.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches that the disk does not fill up (service 9).
final class DiskFloor {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFloor.class);

    private final Path directory;
    private final long floorBytes;
    private final Readiness readiness;
    private volatile long freeBytes;
    private boolean low;

    DiskFloor(Path directory, long floorBytes, Readiness readiness) {
        this.directory = directory;
        this.floorBytes = floorBytes;
        this.readiness = readiness;
    }

    /// Free bytes when it was last looked.
    long freeBytes() {
        return freeBytes;
    }

    void look() {
        try {
            freeBytes = Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            LOG.warn("free disk space unknown directory={} reason={}", directory, e.getMessage());
            return;
        }
        boolean isLow = freeBytes < floorBytes;
        if (isLow == low) {
            return;
        }
        low = isLow;
        if (isLow) {
            readiness.begin(Reason.DISK_FLOOR);
            LOG.error("disk nearly full directory={} free={} floor={}", directory, freeBytes, floorBytes);
        } else {
            readiness.end(Reason.DISK_FLOOR);
            LOG.info("disk has room again directory={} free={}", directory, freeBytes);
        }
    }
}
