package dev.grapnel.git.fetch;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.nostr.repository.RefName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jgit.internal.storage.file.FileRepository;

/// A repository that we serve, and git serves, too.
final class Served implements AutoCloseable {
    private final Path directory;
    private final GitProgram git;
    private final FileRepository repository;

    Served(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.git = new GitProgram(directory);
        git.run("init", "--quiet", "--bare", "--initial-branch=main");
        git.run("config", "uploadpack.allowAnySHA1InWant", "true");
        git.run("config", "uploadpack.allowFilter", "true");
        this.repository = new FileRepository(directory.toFile());
    }

    GitProgram git() {
        return git;
    }

    /// What everybody may fetch.
    Offer offer(Predicate<RefName> hidden) {
        var values = new TreeMap<RefName, RefValue>();
        for (var line : git.run("for-each-ref", "--format=%(objectname) %(refname) %(*objectname)")
                .lines()
                .toList()) {
            var words = line.split(" ", -1);
            values.put(
                    new RefName(words[1]),
                    new RefValue(
                            GitProgram.oid(words[0]),
                            words.length < 3 || words[2].isEmpty() ? null : GitProgram.oid(words[2])));
        }
        repository.getObjectDatabase().close(); // whatever came meanwhile is looked for again
        var refs = new Refs(values, Refs.DEFAULT_BRANCH).without((name, _) -> hidden.test(name));
        return new Offer(repository.getObjectDatabase(), refs, List.of(), false);
    }

    /// Our answer.
    static byte[] answer(Offer offer, byte[] request, boolean version2) throws IOException {
        var out = new ByteArrayOutputStream();
        var task = UploadPack.read(new ByteArrayInputStream(request), version2);
        new UploadPack(offer, KeepAlive.defaults(System::nanoTime), () -> false, PackBudget.UNBOUNDED)
                .answer(task, out);
        return out.toByteArray();
    }

    /// The answer of git itself.
    byte[] answerOfGit(byte[] request, boolean version2) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("git", "upload-pack", "--stateless-rpc", directory.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("LC_ALL", "C");
        if (version2) {
            builder.environment().put("GIT_PROTOCOL", "version=2");
        }
        var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var in = process.getOutputStream()) {
            in.write(request);
        } catch (IOException _) {
            // it has read enough
        }
        var answer = process.getInputStream().readAllBytes();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("git upload-pack does not end");
        }
        return answer;
    }

    /// A request of version 0.
    ///
    /// @param before what stands before the first flush; the first is a want
    /// @param after what stands behind it
    static byte[] version0(List<String> before, List<String> after) throws IOException {
        var out = new ByteArrayOutputStream();
        var packets = new PacketWriter(out);
        lines(before, packets);
        packets.flush();
        lines(after, packets);
        return out.toByteArray();
    }

    /// A request of version 2.
    static byte[] version2(String command, List<String> arguments) throws IOException {
        var out = new ByteArrayOutputStream();
        var packets = new PacketWriter(out);
        packets.line("command=" + command + "\n");
        packets.line("object-format=sha1\n");
        packets.delimiter();
        lines(arguments, packets);
        packets.flush();
        return out.toByteArray();
    }

    private static void lines(List<String> lines, PacketWriter packets) throws IOException {
        for (var line : lines) {
            packets.line(line + "\n");
        }
    }

    /// Lines of an answer, up to the pack.
    static List<String> lines(byte[] answer) throws IOException {
        var lines = new ArrayList<String>();
        var packets = new PacketReader(new ByteArrayInputStream(answer));
        for (var packet = packets.next(); !(packet instanceof Packet.End); packet = packets.next()) {
            if (packet instanceof Packet.Line line) {
                lines.add(line.latin());
                if (line.latin().equals("packfile")) {
                    break;
                }
            }
        }
        return lines;
    }

    /// An answer as text, each byte a character.
    static String text(byte[] answer) {
        return new String(answer, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        repository.close();
    }
}
