package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.internal.storage.file.PackBitmapIndexWriterV1;
import org.eclipse.jgit.internal.storage.pack.PackWriter;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.storage.pack.PackConfig;

/// Writes a pack of everything that some objects reach, compressed as well as memory allows.
final class ReachablePack {
    private final Disk disk;
    private final Pace pace;
    private final PackConfig config;

    ReachablePack(Disk disk, Pace pace, UpkeepConfig limits) {
        this.disk = disk;
        this.pace = pace;
        this.config = configFor(limits);
    }

    private static PackConfig configFor(UpkeepConfig limits) {
        var config = new PackConfig();
        config.setThreads(1); // the one that was given to maintenance
        config.setIndexVersion(IndexFile.VERSION);
        config.setBuildBitmaps(true);
        config.setDeltaCompress(true);
        // The library takes whole objects in packs for tried already, and would search nothing that clients sent whole.
        // Deltas are still taken over as they are.
        config.setReuseObjects(false);
        config.setDeltaSearchMemoryLimit(limits.deltaMemory());
        config.setDeltaCacheSize(limits.deltaMemory() / 4);
        config.setBigFileThreshold(limits.deltaObjectMax());
        return config;
    }

    /// What goes in.
    ///
    /// @param wanted reach what is packed
    /// @param without reach what is left out
    /// @param tags those that get no bitmap, as nobody has them without the commit behind them
    /// @param hasBitmaps whether bitmaps are written; only if nothing is left out
    record Selection(Set<ObjectId> wanted, Set<ObjectId> without, Set<ObjectId> tags, boolean hasBitmaps) {}

    /// Writes it beside the others.
    ///
    /// @return nothing if there is nothing to pack
    Optional<NewPack> write(FileRepository repository, PackDirectory packs, Selection selection) throws IOException {
        var monitor = new PaceMonitor(pace);
        try (var writer = new PackWriter(config, repository.newObjectReader())) {
            writer.setDeltaBaseAsOffset(true);
            writer.setReuseDeltaCommits(false); // they are read most, and deltas hardly make them smaller
            writer.setCreateBitmaps(selection.hasBitmaps());
            writer.preparePack(monitor, selection.wanted(), selection.without(), PackWriter.NONE, selection.tags());
            return writer.getObjectCount() == 0
                    ? Optional.empty()
                    : Optional.of(write(writer, packs, monitor, selection.hasBitmaps()));
        }
    }

    private NewPack write(PackWriter writer, PackDirectory packs, PaceMonitor monitor, boolean hasBitmaps)
            throws IOException {
        var scratch = packs.scratch();
        var pack = packs.path().resolve(scratch + "_pack");
        var index = packs.path().resolve(scratch + "_idx");
        long objects = writer.getObjectCount();
        write(pack, out -> writer.writePack(monitor, monitor, out));
        long bytes = Files.size(pack);
        var name = NewPack.nameOf(NewPack.trailerOf(pack));
        write(index, writer::writeIndex);
        var bitmaps = packs.path().resolve(scratch + "_bitmap");
        if (hasBitmaps && writer.prepareBitmapIndex(monitor)) {
            write(bitmaps, out -> writer.writeBitmapIndex(new PackBitmapIndexWriterV1(out)));
            return new NewPack(name, objects, bytes, pack, index, bitmaps);
        }
        return new NewPack(name, objects, bytes, pack, index);
    }

    private void write(Path file, Disk.Content content) throws IOException {
        disk.write(file, out -> {
            var slow = paced(out);
            content.writeTo(slow);
            slow.flush();
        });
    }

    private OutputStream paced(OutputStream file) {
        var slow = new FilterOutputStream(file) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                pace.spend(length);
                out.write(bytes, from, length);
            }
        };
        return new BufferedOutputStream(slow, 1 << 16);
    }
}
