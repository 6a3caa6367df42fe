package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What refs named before they were moved or deleted, and until when: it stays for a grace period (service
/// 7.5).
///
/// Lines of seconds and id in a file of the repository. Each line brings its own line feeds, before and
/// after, so that one torn by a crash spoils no other.
public final class FormerTips {
    /// The file in the repository.
    public static final String FILE = "grapnel-former-refs";

    private static final int LINE_MAX = 80;

    private final Disk disk;
    private final InstantSource time;

    public FormerTips(Disk disk, InstantSource time) {
        this.disk = disk;
        this.time = time;
    }

    /// Notes what refs name that are about to be moved; durable when this returns. To be called before they
    /// are.
    ///
    /// @param repository its directory
    public void add(Path repository, Collection<Oid> tips) throws IOException {
        var lines = tips.stream()
                .filter(tip -> !tip.isZero())
                .distinct()
                .map(tip -> line(time.instant().getEpochSecond(), tip))
                .collect(Collectors.joining());
        if (lines.isEmpty()) {
            return;
        }
        var file = repository.resolve(FILE);
        boolean isNew = !Files.exists(file);
        disk.append(file, text("\n" + lines));
        if (isNew) {
            disk.forceDirectory(repository);
        }
    }

    /// What refs named at that time or later.
    public Set<Oid> read(Path repository, Instant since) throws IOException {
        return byId(repository).entrySet().stream()
                .filter(tip -> tip.getValue() >= since.getEpochSecond())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Whether there are any that nothing refers to since before that time.
    boolean hasOlder(Path repository, Instant than) throws IOException {
        return byId(repository).values().stream().anyMatch(seconds -> seconds < than.getEpochSecond());
    }

    /// Forgets what is older. Only while no ref is being moved, or what is added meanwhile could be lost.
    public void prune(Path repository, Instant before) throws IOException {
        var file = repository.resolve(FILE);
        if (!hasOlder(repository, before)) {
            return;
        }
        var lines = byId(repository).entrySet().stream()
                .filter(tip -> tip.getValue() >= before.getEpochSecond())
                .map(tip -> line(tip.getValue(), tip.getKey()))
                .collect(Collectors.joining());
        var draft = repository.resolve(PackDirectory.SCRATCH + FILE);
        Disk.replace(disk, file, draft, text(lines));
    }

    /// The last time of each. In order of ids and not by hash: strangers choose them.
    private static Map<Oid, Long> byId(Path repository) throws IOException {
        var tips = new TreeMap<Oid, Long>();
        try (var lines = Files.newBufferedReader(repository.resolve(FILE), StandardCharsets.ISO_8859_1)) {
            lines.lines().forEach(line -> parse(line, tips));
        } catch (NoSuchFileException _) {
            return tips; // no ref was ever moved
        }
        return tips;
    }

    private static void parse(String line, Map<Oid, Long> into) {
        int space = line.indexOf(' ');
        boolean looksGood = space > 0
                && space < 19
                && line.length() < LINE_MAX
                && line.substring(0, space).chars().allMatch(c -> c >= '0' && c <= '9');
        if (looksGood) {
            Oid.parse(line.substring(space + 1))
                    .find()
                    .ifPresent(id -> into.merge(id, Long.parseLong(line.substring(0, space)), Math::max));
        }
    }

    private static String line(long seconds, Oid id) {
        return seconds + " " + id + "\n";
    }

    private static Disk.Content text(String lines) {
        return out -> out.write(lines.getBytes(StandardCharsets.ISO_8859_1));
    }
}
