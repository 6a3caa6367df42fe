package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.ObjectType;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Packs whose tables and objects are far larger than the heap of the process that receives them.
final class PackMemoryTest {
    private static final int OBJECTS = 300_000;
    private static final int LARGE = 96 << 20;

    @TempDir
    private Path root;

    @Test
    void packIsReceivedInLittleMemory() throws IOException, InterruptedException {
        new GitProgram(root).run("init", "-q", "--bare", "here.git");
        var pack = root.resolve("many.pack");
        writePack(pack);
        var output = root.resolve("output").toFile();
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Receiver.class.getName(),
                        root.toString())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertEquals(true, process.waitFor(120, TimeUnit.SECONDS), "it took too long");
        } finally {
            process.destroyForcibly();
        }
        assertEquals("received " + (OBJECTS + 2), lastLine(output));
    }

    private static String lastLine(File output) throws IOException {
        return Files.readString(output.toPath()).lines().reduce("", (_, line) -> line);
    }

    /// Small files, a large one, and a large one made from it.
    private static void writePack(Path path) throws IOException {
        try (var file = new BufferedOutputStream(Files.newOutputStream(path))) {
            var digest = new DigestOutputStream(file, Checksum.sha1());
            var head = new PackBuilder().build(OBJECTS + 2);
            digest.write(head, 0, 12);
            var zeros = new PackBuilder().add(ObjectType.BLOB, new byte[LARGE]);
            int large = write(zeros, digest);
            // the distance to the large file, which ends where this begins
            var next = new PackBuilder();
            var offset = next.offset();
            var delta = PackBuilder.delta(LARGE, LARGE + 1, copiesOf(LARGE), PackBuilder.insert("x"));
            write(next.deltaOn(offset - large, delta), digest);
            for (int i = 0; i < OBJECTS; i++) {
                write(new PackBuilder().blob("file " + i), digest);
            }
            file.write(digest.getMessageDigest().digest());
        }
    }

    private static byte[] copiesOf(int size) {
        int piece = 1 << 23;
        var copies = new byte[size / piece][];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = PackBuilder.copy(i * piece, piece);
        }
        return PackBuilder.join(copies);
    }

    private static int write(PackBuilder objects, OutputStream out) throws IOException {
        var pack = objects.build();
        out.write(pack, 12, pack.length - 32);
        return pack.length - 32;
    }

    /// The process with the small heap.
    static final class Receiver {
        private Receiver() {}

        public static void main(String[] arguments) throws IOException {
            var root = Path.of(arguments[0]);
            var quarantine = Files.createDirectory(root.resolve("quarantine"));
            try (var repository = new FileRepository(root.resolve("here.git").toFile());
                    var here = repository.newObjectReader();
                    InputStream in = Files.newInputStream(root.resolve("many.pack"))) {
                var words = switch (new PackIntake(PackLimits.DEFAULTS, quarantine, here).receive(in)) {
                    case Intake.Received(var pack) -> "received " + pack.objects();
                    case Intake.Empty _ -> "empty";
                    case Intake.Refused(var reason, var _, var _) -> reason;
                };
                System.out.write((words + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
