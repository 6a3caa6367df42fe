package dev.grapnel.git.pack;

import dev.grapnel.git.pack.Intake.Empty;
import dev.grapnel.git.pack.Intake.Received;
import dev.grapnel.git.pack.Intake.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jgit.lib.ObjectReader;

/// Receives one pack from a stranger.
public final class PackIntake {
    private static final long BORROWED_MAX = 20_000_000;

    private final PackLimits limits;
    private final long borrowedMax;
    private final Path directory;
    private final ObjectReader here;
    private final Supplier<ObjectHash> hashes;

    /// @param directory exists, is empty, and is ours: pack, index and scratch files go there
    /// @param here objects on which the pack may rest
    public PackIntake(PackLimits limits, Path directory, ObjectReader here) {
        this(limits, BORROWED_MAX, directory, here, ObjectHash::new);
    }

    PackIntake(PackLimits limits, long borrowedMax, Path directory, ObjectReader here, Supplier<ObjectHash> hashes) {
        this.limits = limits;
        this.borrowedMax = borrowedMax;
        this.directory = directory;
        this.here = here;
        this.hashes = hashes;
    }

    /// Reads exactly one pack and expects the end of the stream after it. What it returns is durable;
    /// unless that is a pack, no file is left.
    ///
    /// @throws IOException if the stream or the disk failed, or the thread was interrupted
    public Intake receive(InputStream in) throws IOException {
        var pack = directory.resolve("incoming.pack");
        var index = directory.resolve("incoming.idx");
        try (var reception = new Reception(limits, borrowedMax, directory, here, hashes.get())) {
            return receive(in, pack, index, reception);
        } finally {
            for (var file : List.of(pack, index)) {
                Files.deleteIfExists(file); // unless they have their names by now
            }
        }
    }

    private Intake receive(InputStream in, Path pack, Path index, Reception reception) throws IOException {
        try {
            var written = reception.receive(in, pack, index);
            return written.objects() == 0 ? new Empty() : new Received(name(written, pack, index));
        } catch (PackRefused refusal) {
            return new Refused(refusal.reason(), refusal.flaw(), reception.lookedFor());
        }
    }

    private ReceivedPack name(Reception.Written written, Path pack, Path index) throws IOException {
        var name = "pack-" + written.checksum();
        var namedPack = directory.resolve(name + ".pack");
        Files.move(pack, namedPack);
        try {
            return new ReceivedPack(
                    namedPack,
                    Files.move(index, directory.resolve(name + ".idx")),
                    written.objects(),
                    written.bytes(),
                    written.borrowed(),
                    written.sent());
        } catch (IOException e) {
            Files.deleteIfExists(namedPack);
            throw e;
        }
    }
}
