package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.Grapnel;
import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.GitRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Directories of the existing server's version 3, which are recognised and left alone (purgatory 7.6).
final class OldServerDirectoryTest {
    private static final String OWNER = new Npub(PublicKey.of(new byte[32], 0)).text();

    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void makeRepository() throws IOException {
        data = Files.createDirectories(directory.resolve("git"));
        new GitProgram(data).run("init", "--quiet", "--bare", OWNER + "/r.git");
    }

    private record Ended(int code, String err) {}

    private Ended serve() {
        var err = new StringWriter();
        var invocation =
                new Invocation(InputStream.nullInputStream(), new ByteArrayOutputStream(), false, false, Map.of());
        var serve = new Serve(
                invocation,
                Grapnel.build(),
                GitRules.GRASP,
                directory,
                new ByteArrayOutputStream(),
                new PrintWriter(err, true));
        int code = serve.run(
                List.of(
                        "--git-data-path=" + data,
                        "--relay-data-path=" + directory.resolve("relay"),
                        "--bind-address=127.0.0.1:0"),
                (_, _) -> {});
        return new Ended(code, err.toString());
    }

    /// Names, lengths and times of everything.
    private List<String> picture() throws IOException {
        var found = new ArrayList<String>();
        try (var all = Files.walk(directory)) {
            for (var file : all.sorted().toList()) {
                found.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        }
        return found;
    }

    private String refusal(String found) {
        return "grapnel: the git data directory " + data + " " + found + ", so it is laid out as ngit-grasp 3 does it,"
                + " which this version of Grapnel cannot take over; nothing was changed: name another directory with"
                + " --git-data-path, and repositories come back by pushing them again\n";
    }

    private void assertRefused(String found) throws IOException {
        var before = picture();
        assertEquals(new Ended(2, refusal(found)), serve());
        var gc = new Terminal(directory.resolve("unused")).runOnGit(data, "git", "gc");
        assertEquals(2, gc.code());
        assertEquals(refusal(found), gc.err());
        assertEquals(before, picture());
    }

    @Test
    void familiesAreRefusedAndNothingIsWritten() throws IOException {
        Files.createDirectories(data.resolve(".grasp/families/sha1/r.git/objects"));
        Files.writeString(data.resolve(".grasp/storage-version"), "1\n");
        assertRefused("has a directory .grasp");
    }

    @Test
    void repositoryWithoutObjectsOfItsOwnIsRefusedAndNothingIsWritten() throws IOException {
        Files.writeString(data.resolve(OWNER + "/r.git/objects/info/alternates"), "/srv/r.git/objects\n");
        assertRefused("has a repository that borrows its objects, " + OWNER + "/r.git");
    }

    @Test
    void contributorsRepositoryWithoutObjectsOfItsOwnIsRefused() throws IOException {
        var view = data.resolve("prs", "0".repeat(64), "r.git");
        Files.createDirectories(view.resolve("objects/info"));
        Files.writeString(view.resolve("objects/info/alternates"), "/srv/r.git/objects\n");
        assertRefused("has a repository that borrows its objects, prs/" + "0".repeat(64) + "/r.git");
    }

    @Test
    void completeRepositoriesAreTakenAndTheServerStarts() throws IOException {
        Files.createDirectories(data.resolve("prs", "0".repeat(64), "r.git"));
        assertEquals(new Ended(0, ""), serve());
        assertTrue(Files.isDirectory(data.resolve(OWNER + "/r.git")));
    }

    @Test
    void databaseOfTheOldServerIsRefusedAndNothingIsWritten() throws IOException {
        assertEquals(0, serve().code());
        var relay = directory.resolve("relay");
        var bytes = Files.readAllBytes(relay.resolve("data.mdb"));
        Files.delete(relay.resolve("grapnel.lock"));
        var schema = new String(bytes, StandardCharsets.ISO_8859_1);
        Files.writeString(relay.resolve("data.mdb"), schema.replace("meta", "else"), StandardCharsets.ISO_8859_1);
        var before = picture();
        var ended = serve();
        assertEquals(2, ended.code());
        assertTrue(ended.err().contains(" is not a store of Grapnel but another program's"), ended.err());
        assertEquals(before, picture());
    }
}
