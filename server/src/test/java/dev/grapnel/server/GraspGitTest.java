package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// For tests that publish, push and clone as people do: a server of their own, one connection, stock git.
abstract class GraspGitTest {
    static final int ANN = 1;
    static final int BOB = 2;
    static final int CAROL = 3;

    final GraspUnderTest server = GraspUnderTest.start();
    RelayClient client;
    GitClient git;
    Path work;

    @TempDir
    private Path directory;

    @BeforeEach
    final void begin() throws IOException {
        client = server.connect();
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
    }

    @AfterEach
    final void end() throws IOException {
        client.close();
        server.close();
    }

    final String url(int owner, String identifier) {
        return "http://127.0.0.1:" + server.service().port() + "/" + new Npub(StoreSamples.author(owner)) + "/"
                + identifier + ".git";
    }

    /// A commit on a branch of the working copy, which begins at the commit before.
    final String commit(String branch) {
        git.run(work, "checkout", "--quiet", "-B", branch);
        return git.commit(work, branch + ".txt", branch + System.nanoTime());
    }

    final Event state(int author, String identifier, long second, Map<String, String> refs) {
        var tags = new ArrayList<List<String>>();
        refs.forEach((name, value) -> tags.add(List.of(name, value)));
        return stateOf(author, identifier, second, tags);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a list of tags as the arguments it is
    private Event stateOf(int author, String identifier, long second, List<List<String>> tags) {
        return server.stateAt(second, author, identifier, tags.toArray(List[]::new));
    }

    final GitClient.Result push(int owner, String identifier, String... refs) {
        var arguments = new ArrayList<>(List.of("push", "--atomic", url(owner, identifier)));
        arguments.addAll(List.of(refs));
        return git.run(work, arguments.toArray(String[]::new));
    }

    /// What everybody can list, with what HEAD points at.
    final Map<String, String> refs(int owner, String identifier) {
        var refs = new TreeMap<String, String>();
        git.ok(work, "ls-remote", "--symref", url(owner, identifier))
                .lines()
                .map(line -> line.split("\t"))
                .filter(line -> !line[1].equals("HEAD") || line[0].startsWith("ref: "))
                .forEach(line -> refs.put(line[1], line[0]));
        return refs;
    }

    /// An announced repository with branches, all served.
    final void serve(int owner, String identifier, long second, Map<String, String> refs) throws IOException {
        client.publish(server.announcementAt(second, owner, identifier));
        client.publish(state(owner, identifier, second, refs));
        push(
                        owner,
                        identifier,
                        refs.keySet().stream()
                                .map(name -> refs.get(name) + ":" + name)
                                .toArray(String[]::new))
                .orFail();
    }
}
