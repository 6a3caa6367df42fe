package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jgit.internal.storage.file.PackIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Offsets that only packs of more than 2 GiB have.
final class PackIndexWriterTest {
    @TempDir
    private Path root;

    @Test
    void largeOffsetsAreFoundAgain() throws IOException {
        var offsets = new long[] {12, Integer.MAX_VALUE, 1L << 31, (1L << 40) + 5, 7L << 32};
        var path = root.resolve("large.idx");
        try (var scratch = new Scratch(root);
                var file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var table = new ObjectTable(scratch);
            for (int i = 0; i < offsets.length; i++) {
                table.setId(table.add(offsets[i], i, ObjectTable.WHOLE, ObjectTable.NONE), (i * 77L) << 55, i, i);
            }
            new PackIndexWriter(table, new IdOrder(table, scratch), file).write(new byte[20]);
        }
        var index = PackIndex.open(path.toFile());
        assertEquals(offsets.length, index.getObjectCount());
        assertEquals(3, index.getOffset64Count());
        for (int i = 0; i < offsets.length; i++) {
            var id = GitIds.of(new Oid((i * 77L) << 55, i, i));
            assertEquals(offsets[i], index.findOffset(id));
            assertEquals(i, index.findCRC32(id));
        }
    }
}
