package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.pack.Intake.Received;
import dev.grapnel.git.pack.Intake.Refused;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectReader;

/// A place to receive packs, with a repository that they may rest on.
final class Site implements AutoCloseable {
    private final Path root;
    private final FileRepository repository;
    private int received;

    Site(Path root) throws IOException {
        this.root = root;
        new GitProgram(root).run("init", "-q", "--bare", "here.git");
        repository = new FileRepository(root.resolve("here.git").toFile());
    }

    /// The repository's directory.
    Path here() {
        return root.resolve("here.git");
    }

    ObjectReader reader() {
        return repository.newObjectReader();
    }

    Intake receive(byte[] pack) throws IOException {
        return receive(pack, PackLimits.DEFAULTS);
    }

    Intake receive(byte[] pack, PackLimits limits) throws IOException {
        try (var reader = reader()) {
            return receive(pack, directory -> new PackIntake(limits, directory, reader));
        }
    }

    interface Opening {
        PackIntake open(Path directory);
    }

    /// Receives a pack into a directory of its own; unless it is accepted nothing may be left there.
    Intake receive(byte[] pack, Opening opening) throws IOException {
        var directory = Files.createDirectory(root.resolve("received-" + received++));
        var intake = opening.open(directory).receive(new ByteArrayInputStream(pack));
        var left = filesIn(directory);
        if (intake instanceof Received(var accepted)) {
            assertEquals(
                    List.of(accepted.index(), accepted.pack()), left, "a pack and its index, and nothing else is left");
        } else {
            assertEquals(List.of(), left, "nothing is left of " + intake);
        }
        return intake;
    }

    ReceivedPack accept(byte[] pack) throws IOException {
        return accept(pack, PackLimits.DEFAULTS);
    }

    ReceivedPack accept(byte[] pack, PackLimits limits) throws IOException {
        return assertInstanceOf(Received.class, receive(pack, limits)).pack();
    }

    /// The reason for which a pack is refused.
    String refuse(byte[] pack) throws IOException {
        return refuse(pack, PackLimits.DEFAULTS);
    }

    String refuse(byte[] pack, PackLimits limits) throws IOException {
        return reasonOf(receive(pack, limits));
    }

    static String reasonOf(Intake intake) {
        var reason = assertInstanceOf(Refused.class, intake).reason();
        assertTrue(reason.getBytes(StandardCharsets.UTF_8).length <= 200, reason);
        assertTrue(reason.chars().noneMatch(Character::isISOControl), reason);
        return reason;
    }

    static List<Path> filesIn(Path directory) {
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        repository.close();
    }
}
