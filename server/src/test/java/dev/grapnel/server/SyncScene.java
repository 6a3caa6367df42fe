package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.fail;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.server.git.GitClient;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// What people do at servers that follow each other: events, commits and pushes, each a second after the last.
final class SyncScene {
    static final int ANN = 1;
    static final int BOB = 2;
    static final int CAROL = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final GitClient git;
    private final Path work;
    private long second = Instant.now().getEpochSecond() - 1_000;

    SyncScene(Path directory) throws IOException {
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
    }

    /// Waits in the time of everybody else.
    static void await(String what, Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.call()) {
            if (System.nanoTime() > end) {
                fail("not in time: " + what);
            }
            Thread.onSpinWait();
            LockSupport.parkNanos(50_000_000);
        }
    }

    // ---- events

    Event event(int author, int kind, List<List<String>> tags, String content) {
        return StoreSamples.event(author, kind, second++, tags, content);
    }

    Event announcement(int owner, String identifier, SyncedServer... servers) {
        return announcement(owner, identifier, List.of(), servers);
    }

    /// @param others further relays
    Event announcement(int owner, String identifier, List<String> others, SyncedServer... servers) {
        var clone = new ArrayList<>(List.of("clone"));
        var relays = new ArrayList<>(List.of("relays"));
        for (var server : servers) {
            clone.add(server.cloneUrl(owner, identifier));
            relays.add(server.relayUrl());
        }
        relays.addAll(others);
        return event(owner, Kinds.ANNOUNCEMENT, List.of(List.of("d", identifier), clone, relays), "");
    }

    Event state(int owner, String identifier, String main) {
        return event(
                owner,
                Kinds.STATE,
                List.of(
                        List.of("d", identifier),
                        List.of("refs/heads/main", main),
                        List.of("HEAD", "ref: refs/heads/main")),
                "");
    }

    Event issue(int author, int owner, String identifier) {
        return event(author, Kinds.ISSUE, List.of(List.of("a", coordinate(owner, identifier))), "It does not work.");
    }

    /// A pull request whose commit is where the repository is.
    Event proposal(int author, int owner, String identifier, String commit, SyncedServer at) {
        return event(
                author,
                Kinds.PULL_REQUEST,
                List.of(
                        List.of("a", coordinate(owner, identifier)),
                        List.of("c", commit),
                        List.of("clone", at.cloneUrl(owner, identifier))),
                "Please take it.");
    }

    Event comment(int author, Event root, Event parent) {
        return event(
                author,
                Kinds.COMMENT,
                List.of(
                        List.of("E", root.id().toString()),
                        List.of("e", parent.id().toString())),
                "Indeed.");
    }

    static String coordinate(int owner, String identifier) {
        return Kinds.ANNOUNCEMENT + ":" + StoreSamples.author(owner) + ":" + identifier;
    }

    // ---- git

    String commit(String text) {
        git.run(work, "checkout", "--quiet", "-B", "main");
        return git.commit(work, "file.txt", text);
    }

    void push(SyncedServer server, int owner, String identifier, String commit, String ref) {
        git.run(work, "push", server.cloneUrl(owner, identifier), commit + ":" + ref)
                .orFail();
    }

    /// The commit of a ref; empty if there is none.
    String tip(SyncedServer server, int owner, String identifier, String ref) {
        var listed = git.run(work, "ls-remote", server.cloneUrl(owner, identifier), ref)
                .out();
        int tab = listed.indexOf('\t');
        return tab < 0 ? "" : listed.substring(0, tab);
    }

    String tip(SyncedServer server, int owner, String identifier) {
        return tip(server, owner, identifier, "refs/heads/main");
    }

    /// Announces, states and pushes a repository at the first of some servers that it names.
    void serve(int owner, String identifier, String main, List<String> others, SyncedServer... all) {
        var first = Arrays.stream(all).findFirst().orElseThrow();
        first.publish(announcement(owner, identifier, others, all));
        first.publish(state(owner, identifier, main));
        push(first, owner, identifier, main, "refs/heads/main");
    }

    void serve(int owner, String identifier, String main, SyncedServer... all) {
        serve(owner, identifier, main, List.of(), all);
    }
}
