package dev.grapnel.git.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Oid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
final class FormerTipsTest {
    private static final Instant START = Instant.ofEpochSecond(1_700_000_000);
    private static final Oid A = new Oid(1, 1, 1);
    private static final Oid B = new Oid(2, 2, 2);

    @TempDir
    private Path repository;

    private final ManualTime time = new ManualTime(START);
    private final FormerTips tips = new FormerTips(Disk.REAL, time);

    @Test
    void tipsAreKnownFromTheirTimeOn() throws Exception {
        assertEquals(Set.of(), tips.read(repository, Instant.EPOCH));
        tips.add(repository, List.of(A, Oid.ZERO));
        time.advance(Duration.ofSeconds(10));
        tips.add(repository, List.of(B));
        assertEquals(Set.of(A, B), tips.read(repository, START));
        assertEquals(Set.of(B), tips.read(repository, START.plusSeconds(1)));
    }

    @Test
    void lastTimeCounts() throws Exception {
        tips.add(repository, List.of(A));
        time.advance(Duration.ofSeconds(10));
        tips.add(repository, List.of(A));
        assertEquals(Set.of(A), tips.read(repository, START.plusSeconds(1)));
    }

    @Test
    void tornLineSpoilsNoOther() throws Exception {
        tips.add(repository, List.of(A));
        Files.writeString(repository.resolve(FormerTips.FILE), "17000000", StandardOpenOption.APPEND);
        tips.add(repository, List.of(B));
        assertEquals(Set.of(A, B), tips.read(repository, START));
    }

    @Test
    void oldOnesAreForgotten() throws Exception {
        tips.add(repository, List.of(A));
        time.advance(Duration.ofSeconds(10));
        tips.add(repository, List.of(B));
        tips.prune(repository, START.plusSeconds(5));
        assertEquals(Set.of(B), tips.read(repository, Instant.EPOCH));
        assertFalse(tips.hasOlder(repository, START.plusSeconds(5)));
    }
}
