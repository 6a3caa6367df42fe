package dev.grapnel.bench.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.nostr.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A push of one commit that was made beforehand, so that no program packs while something is measured.
///
/// @param before zeros if the push makes the branch
public record Push(String branch, String before, String after, Bytes pack) {
    /// The branch by its full name.
    public String ref() {
        return "refs/heads/" + branch;
    }

    /// What a client sends, one after the other: it asks for refs, then it pushes.
    public List<byte[]> requests(Host host, String repository) {
        var command = before + " " + after + " " + ref() + "\0 report-status-v2 side-band-64k quiet"
                + " object-format=sha1 " + Replay.AGENT;
        var body = new ByteArrayOutputStream();
        body.writeBytes((Replay.packet(command) + "0000").getBytes(UTF_8));
        body.writeBytes(pack.toArray());
        return List.of(
                PlainHttp.request(
                        "GET",
                        host.uri(repository + ".git/info/refs?service=git-receive-pack"),
                        Replay.VERSION_2,
                        new byte[0]),
                PlainHttp.request(
                        "POST",
                        host.uri(repository + ".git/git-receive-pack"),
                        Replay.contentType("git-receive-pack"),
                        body.toByteArray()));
    }

    /// Pushes on a connection of its own.
    static void send(Host host, List<byte[]> requests) throws IOException {
        try (var connection = PlainHttp.connect(host.uri(""))) {
            send(connection, requests);
        }
    }

    /// Pushes on a connection that is used further.
    ///
    /// @throws IOException also if the push is refused
    public static void send(PlainHttp connection, List<byte[]> requests) throws IOException {
        connection.ask(requests.getFirst());
        var answer = connection.ask(requests.getLast());
        if (!answer.contains("unpack ok") || !answer.contains("ok refs/heads/")) {
            throw new IOException("the push was refused: " + answer);
        }
    }

    /// A branch of commits on top of `main` that change one file each, and the pack of each commit as a client would
    /// send it. The source keeps the commits, but not the branch.
    public static List<Push> make(Path source, String branch, int count) throws IOException, InterruptedException {
        var commits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            var text = branch + " changes this file for the time " + i + "\n";
            commits.append("commit refs/heads/").append(branch);
            commits.append("\ncommitter A <a@b> ").append(1_700_000_000 + i).append(" +0000\ndata 7\nChange\n");
            commits.append(i == 0 ? "from refs/heads/main^0\n" : "");
            commits.append("M 100644 inline dir").append(i % 50).append("/changed.txt\ndata ");
            commits.append(text.length()).append('\n').append(text).append('\n');
        }
        var _ = feed(source, commits.toString(), "fast-import", "--quiet");
        var ids = GitProgram.run(source, "rev-list", "--reverse", "main.." + branch)
                .split("\n", -1);
        var before = GitProgram.run(source, "rev-parse", "main");
        var pushes = new ArrayList<Push>();
        for (var id : ids) {
            var revisions = id + "\n^" + before + "\n";
            var pack = feed(
                    source, revisions, "pack-objects", "--revs", "--stdout", "--thin", "--delta-base-offset", "-q");
            pushes.add(new Push(branch, pushes.isEmpty() ? "0".repeat(40) : before, id, Bytes.wrap(pack)));
            before = id;
        }
        GitProgram.run(source, "update-ref", "-d", "refs/heads/" + branch);
        return pushes;
    }

    private static byte[] feed(Path source, String input, String... arguments)
            throws IOException, InterruptedException {
        return GitProgram.feed(source, out -> out.write(input.getBytes(UTF_8)), arguments);
    }
}
