package dev.grapnel.git.refs;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What files looked like from outside when they were read, to notice that they changed.
///
/// @param files replaced as a whole by everybody, so that a change always shows in their number (inode)
/// @param places directories and files that may change twice without showing it, if that happens within one
///     tick of the file system's clock
/// @param settled whether the last change of every place was long enough ago
record Stamps(Map<Path, Stamp> files, Map<Path, Stamp> places, boolean settled) {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration TICK_OF_WHOLE_SECONDS = Duration.ofSeconds(2);

    /// One file; all absent ones look the same.
    record Stamp(FileTime modified, long size, @Nullable Object number) {
        private static final Stamp ABSENT = new Stamp(FileTime.fromMillis(0), -1, null);

        static Stamp of(Path file) throws IOException {
            try {
                var found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                return new Stamp(found.lastModifiedTime(), found.isDirectory() ? 0 : found.size(), found.fileKey());
            } catch (NoSuchFileException _) {
                return ABSENT;
            } catch (FileSystemException e) {
                if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw e;
                }
                return ABSENT; // a file where the way to it should be a directory
            }
        }

        private boolean isOlderThan(Instant now) {
            var instant = modified.toInstant();
            var tick = instant.equals(instant.truncatedTo(ChronoUnit.SECONDS)) ? TICK_OF_WHOLE_SECONDS : TICK;
            return instant.plus(tick).isBefore(now);
        }
    }

    /// @param now before the places were looked at
    static Stamps of(Map<Path, Stamp> files, Map<Path, Stamp> places, Instant now) {
        return new Stamps(files, places, places.values().stream().allMatch(stamp -> stamp.isOlderThan(now)));
    }

    /// Whether nothing has changed since, for certain.
    boolean hold() throws IOException {
        return settled && isSame();
    }

    /// Whether everything looks the same.
    boolean isSame() throws IOException {
        return isSame(files) && isSame(places);
    }

    /// The same after a file was replaced.
    Stamps with(Path file, Stamp stamp) {
        var changed = new LinkedHashMap<>(files);
        changed.put(file, stamp);
        return new Stamps(changed, places, settled);
    }

    private static boolean isSame(Map<Path, Stamp> stamps) throws IOException {
        for (var seen : stamps.entrySet()) {
            if (!Stamp.of(seen.getKey()).equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }
}
