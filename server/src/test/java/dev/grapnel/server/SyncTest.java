package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole servers that follow each other.
final class SyncTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private GitClient git;
    private Path work;
    private long second = Instant.now().getEpochSecond() - 1_000;

    @BeforeEach
    void begin() throws IOException {
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
    }

    private static void await(String what, Callable<Boolean> isSo) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.call()) {
            if (System.nanoTime() > end) {
                fail("not in time: " + what);
            }
            Thread.onSpinWait();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private Event event(int author, int kind, List<List<String>> tags, String content) {
        return StoreSamples.event(author, kind, second++, tags, content);
    }

    private Event announcement(int owner, String identifier, SyncedServer... servers) {
        var clone = new ArrayList<>(List.of("clone"));
        var relays = new ArrayList<>(List.of("relays"));
        for (var server : servers) {
            clone.add(server.cloneUrl(owner, identifier));
            relays.add(server.relayUrl());
        }
        return event(owner, Kinds.ANNOUNCEMENT, List.of(List.of("d", identifier), clone, relays), "");
    }

    private Event state(int owner, String identifier, String main) {
        return event(
                owner,
                Kinds.STATE,
                List.of(
                        List.of("d", identifier),
                        List.of("refs/heads/main", main),
                        List.of("HEAD", "ref: refs/heads/main")),
                "");
    }

    private String commit(String text) {
        git.run(work, "checkout", "--quiet", "-B", "main");
        return git.commit(work, "file.txt", text);
    }

    private Event issue(int author, int owner, String identifier) {
        return event(author, Kinds.ISSUE, List.of(List.of("a", coordinate(owner, identifier))), "It does not work.");
    }

    private static String coordinate(int owner, String identifier) {
        return Kinds.ANNOUNCEMENT + ":" + StoreSamples.author(owner) + ":" + identifier;
    }

    private Event comment(int author, Event root, Event parent) {
        return event(
                author,
                Kinds.COMMENT,
                List.of(
                        List.of("E", root.id().toString()),
                        List.of("e", parent.id().toString())),
                "Indeed.");
    }

    private String tip(SyncedServer server, int owner, String identifier) {
        var listed = git.run(work, "ls-remote", server.cloneUrl(owner, identifier), "refs/heads/main")
                .out();
        int tab = listed.indexOf('\t');
        return tab < 0 ? "" : listed.substring(0, tab);
    }

    private void serve(SyncedServer server, int owner, String identifier, String main, SyncedServer... all) {
        server.publish(announcement(owner, identifier, all));
        server.publish(state(owner, identifier, main));
        git.run(work, "push", server.cloneUrl(owner, identifier), main + ":refs/heads/main")
                .orFail();
    }

    @Test
    void whatIsPublishedOnOneServerIsCompleteOnTheOther() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"), "SYNC_BOOTSTRAP_RELAY_URL", a.relayUrl())) {
            var main = commit("one");
            serve(a, ANN, "tool", main, a, b);
            var issue = issue(BOB, ANN, "tool");
            a.publish(issue);
            var comment = comment(CAROL, issue, issue);
            a.publish(comment);
            a.publish(comment(BOB, issue, comment));
            await("refs on the second server", () -> tip(b, ANN, "tool").equals(main));
            await("events on the second server", () -> b.served().equals(a.served()));
            assertEquals(5, a.served().size());
        }
    }

    @Test
    void whatWasMissedWhileAwayIsFetchedOnce() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"), "SYNC_BOOTSTRAP_RELAY_URL", a.relayUrl())) {
            var main = commit("one");
            serve(a, ANN, "tool", main, a, b);
            await(
                    "the repository on the second server",
                    () -> tip(b, ANN, "tool").equals(main));
            b.stop();
            var next = commit("two");
            a.publish(state(ANN, "tool", next));
            git.run(work, "push", a.cloneUrl(ANN, "tool"), next + ":refs/heads/main")
                    .orFail();
            var issue = issue(BOB, ANN, "tool");
            a.publish(issue);
            a.publish(comment(CAROL, issue, issue));
            b.start();
            await("refs after the return", () -> tip(b, ANN, "tool").equals(next));
            await("events after the return", () -> b.served().equals(a.served()));
            assertEquals(4, a.served().size());
        }
    }

    @Test
    void bothDirectionsConvergeWithoutBootstrap() throws Exception {
        try (var a = new SyncedServer(directory.resolve("a"));
                var b = new SyncedServer(directory.resolve("b"))) {
            var main = commit("one");
            var announcement = announcement(ANN, "tool", a, b);
            a.publish(announcement);
            b.publish(announcement);
            a.publish(state(ANN, "tool", main));
            git.run(work, "push", a.cloneUrl(ANN, "tool"), main + ":refs/heads/main")
                    .orFail();
            await("refs on the second server", () -> tip(b, ANN, "tool").equals(main));
            var here = issue(BOB, ANN, "tool");
            a.publish(here);
            var there = issue(CAROL, ANN, "tool");
            b.publish(there);
            await(
                    "equal sets",
                    () -> b.served().equals(a.served()) && a.served().size() == 4);
        }
    }
}
