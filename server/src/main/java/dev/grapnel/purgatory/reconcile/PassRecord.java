package dev.grapnel.purgatory.reconcile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Since when everything that refs reach has not been compared. It outlives the process: a server that starts
/// every few days would never do it otherwise.
public final class PassRecord {
    private static final Logger LOG = LoggerFactory.getLogger(PassRecord.class);

    private final Path file;
    private final Disk disk;

    public PassRecord(Path file, Disk disk) {
        this.file = file;
        this.disk = disk;
    }

    /// The time that was written last, or this one, from which it counts then. What lies in the future counts for
    /// nothing: somebody has set the clock.
    Instant since(Instant now) {
        try {
            var written = Instant.parse(Files.readString(file, US_ASCII).strip());
            if (!written.isAfter(now)) {
                return written;
            }
        } catch (NoSuchFileException _) {
            // nothing was compared yet
        } catch (IOException | DateTimeException e) {
            LOG.warn("time of the last integrity pass not readable file={} reason={}", file, e.toString());
        }
        write(now);
        return now;
    }

    /// Losing it costs one more pass, or one that comes late.
    void write(Instant time) {
        try {
            Disk.replace(
                    disk,
                    file,
                    file.resolveSibling(file.getFileName() + ".new"),
                    out -> out.write(time.toString().getBytes(US_ASCII)));
        } catch (IOException e) {
            LOG.warn("time of the integrity pass not written file={} reason={}", file, e.toString());
        }
    }
}
