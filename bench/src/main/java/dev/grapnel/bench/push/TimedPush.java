package dev.grapnel.bench.push;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.git.PlainHttp;
import dev.grapnel.bench.git.Push;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// When a push began, when the client had read `ok`, and when somebody had read the new ref; as of [System#nanoTime].
record TimedPush(long begun, long ok, long visible) {
    /// A way to push.
    interface Way {
        /// Pushes, and asks for the ref afterwards.
        ///
        /// @throws IOException also if the push is refused, or the ref is not there afterwards
        TimedPush push(Host host, String repository, Push push) throws IOException, InterruptedException;
    }

    /// The requests of the program without the program, on a connection of their own.
    static TimedPush alone(Host host, String repository, Push push) throws IOException {
        var requests = push.requests(host, repository);
        var refs = refsRequest(host, repository);
        long begun = System.nanoTime();
        try (var connection = PlainHttp.connect(host.uri(""))) {
            Push.send(connection, requests);
            long ok = System.nanoTime();
            requireVisible(connection, refs, repository, push.ref(), push.after());
            return new TimedPush(begun, ok, System.nanoTime());
        }
    }

    /// The whole `git` program.
    ///
    /// @param source has what is pushed
    static Way wholeGit(Path source) {
        return (host, repository, push) -> {
            var refs = refsRequest(host, repository);
            long begun = System.nanoTime();
            GitProgram.run(source, "push", "--quiet", host.url(repository), push.after() + ":" + push.ref());
            long ok = System.nanoTime();
            try (var connection = PlainHttp.connect(host.uri(""))) {
                requireVisible(connection, refs, repository, push.ref(), push.after());
            }
            return new TimedPush(begun, ok, System.nanoTime());
        };
    }

    /// Asks several repositories of a host whether they have a ref.
    static void requireVisible(Host host, List<String> repositories, String ref, String commit) throws IOException {
        try (var connection = PlainHttp.connect(host.uri(""))) {
            for (var repository : repositories) {
                requireVisible(connection, refsRequest(host, repository), repository, ref, commit);
            }
        }
    }

    private static void requireVisible(
            PlainHttp connection, byte[] request, String repository, String ref, String commit) throws IOException {
        if (!connection.ask(request).contains(commit + " " + ref + "\n")) {
            throw new IOException(repository + " does not show " + ref + " although the push was taken");
        }
    }

    private static byte[] refsRequest(Host host, String repository) {
        var url = host.uri(repository + ".git/info/refs?service=git-upload-pack");
        return PlainHttp.request("GET", url, "", new byte[0]);
    }
}
