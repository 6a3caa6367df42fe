package dev.grapnel.bench.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// The requests of git clients without the programs that make them, so that servers are compared and not the client.
///
/// Each clone and each push has a connection of its own, as with the real client.
final class Replay {
    private static final int ROUNDS = 5;
    private static final int CONNECTIONS = 4;
    private static final int PUSHES = 15;
    private static final int WARM_ROUNDS = 3;
    private static final double ROUND_NANOS = TimeUnit.SECONDS.toNanos(2);
    static final String VERSION_2 = "Git-Protocol: version=2\r\n";
    static final String AGENT = "agent=git/2.39.5";

    private Replay() {}

    /// Something done again and again on connections of its own.
    private interface Visit {
        void run(int connection) throws Exception;
    }

    /// `info/refs` again and again, each connection kept.
    static void infoRefs(List<Host> hosts, String repository) throws Exception {
        var rates = new double[hosts.size()][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            for (int i = 0; i < hosts.size(); i++) {
                double rate = infoRefs(hosts.get(i).uri(repository + ".git/info/refs?service=git-upload-pack"));
                if (round >= 0) {
                    rates[i][round] = rate;
                }
            }
        }
        Figures.row("`info/refs`, " + repository + ", requests/s", rates, Double.NaN);
    }

    private static double infoRefs(URI url) throws Exception {
        var request = PlainHttp.request("GET", url, "", new byte[0]);
        var open = new ArrayList<PlainHttp>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                open.add(PlainHttp.connect(url));
            }
            return rate(connection -> open.get(connection).ask(request));
        } finally {
            for (var connection : open) {
                connection.close();
            }
        }
    }

    private static double rate(Visit visit) throws Exception {
        long begun = System.nanoTime();
        long end = begun + (long) ROUND_NANOS;
        var counts = new ArrayList<Future<Long>>();
        long sum = 0;
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int connection = i;
                counts.add(threads.submit(() -> {
                    long count = 0;
                    for (; System.nanoTime() < end; count++) {
                        visit.run(connection);
                    }
                    return count;
                }));
            }
            for (var count : counts) {
                sum += count.get();
            }
        }
        return sum / ((System.nanoTime() - begun) / 1e9);
    }

    /// Whole clones: `info/refs`, `ls-refs`, and `fetch` of everything.
    static void clones(List<Host> hosts, String repository, String tip) throws Exception {
        var rates = new double[hosts.size()][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            for (int i = 0; i < hosts.size(); i++) {
                var requests = cloneRequests(hosts.get(i), repository, tip);
                var url = hosts.get(i).uri("");
                double rate = rate(_ -> cloneOnce(url, requests));
                if (round >= 0) {
                    rates[i][round] = rate;
                }
            }
        }
        Figures.row("clones/s, " + repository + ", requests alone, 4 at once", rates, Double.NaN);
    }

    /// One clone after the other, whose packs nobody reads.
    static void cloneAlone(List<Host> hosts, String repository, String tip, int rounds) throws Exception {
        var times = new double[hosts.size()][rounds];
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < hosts.size(); i++) {
                var requests = cloneRequests(hosts.get(i), repository, tip);
                long begun = System.nanoTime();
                cloneOnce(hosts.get(i).uri(""), requests);
                if (round >= 0) {
                    times[i][round] = (System.nanoTime() - begun) / 1e6;
                }
            }
        }
        Figures.row("clone, " + repository + ", ms, requests alone", times, Double.NaN);
    }

    private static void cloneOnce(URI url, List<byte[]> requests) throws IOException {
        try (var connection = PlainHttp.connect(url)) {
            for (var request : requests.subList(0, requests.size() - 1)) {
                connection.ask(request);
            }
            if (!connection.ask(requests.getLast()).contains("PACK")) {
                throw new IOException("no pack came");
            }
        }
    }

    private static List<byte[]> cloneRequests(Host host, String repository, String tip) {
        var url = host.uri(repository + ".git/git-upload-pack");
        var headers = VERSION_2 + contentType("git-upload-pack");
        var list = packet("command=ls-refs\n") + packet(AGENT) + packet("object-format=sha1") + "0001"
                + packet("peel\n") + packet("symrefs\n") + packet("unborn\n") + packet("ref-prefix HEAD\n")
                + packet("ref-prefix refs/heads/\n") + packet("ref-prefix refs/tags/\n") + "0000";
        var fetch = packet("command=fetch") + packet(AGENT) + packet("object-format=sha1") + "0001"
                + packet("thin-pack") + packet("no-progress") + packet("ofs-delta")
                + packet("want " + tip + "\n").repeat(2) + packet("done\n") + "0000";
        return List.of(
                PlainHttp.request(
                        "GET", host.uri(repository + ".git/info/refs?service=git-upload-pack"), VERSION_2, new byte[0]),
                PlainHttp.request("POST", url, headers, list.getBytes(UTF_8)),
                PlainHttp.request("POST", url, headers, fetch.getBytes(UTF_8)));
    }

    static String contentType(String service) {
        return "Content-Type: application/x-" + service + "-request\r\n";
    }

    static String packet(String payload) {
        return String.format(Locale.ROOT, "%04x%s", payload.length() + 4, payload);
    }

    /// Pushes of one changed file each, one after the other and then several at once.
    ///
    /// @param others each compared with the first, ours
    /// @param source has what the repository holds; branches are added to it
    static void pushes(Host ours, List<Host> others, List<String> words, String repository, Path source)
            throws Exception {
        var hosts = new ArrayList<>(List.of(ours));
        hosts.addAll(others);
        var alone = new double[hosts.size()][];
        var together = new double[hosts.size()][ROUNDS];
        for (int i = 0; i < hosts.size(); i++) {
            alone[i] = new double[ROUNDS * PUSHES];
        }
        var run = Long.toString(System.nanoTime(), 36);
        var made = new ArrayList<List<Push>>();
        for (int i = 0; i < CONNECTIONS; i++) {
            made.add(Push.make(source, "bench-" + run + "-" + i, PUSHES * (ROUNDS + WARM_ROUNDS) * (i == 0 ? 2 : 1)));
        }
        for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
            int from = (round + WARM_ROUNDS) * PUSHES;
            for (int i = 0; i < PUSHES; i++) {
                // The first branch has as many again for the pushes that come alone.
                var push = made.getFirst().get(2 * from + i);
                for (int host = 0; host < hosts.size(); host++) {
                    var requests = push.requests(hosts.get(host), repository);
                    long begun = System.nanoTime();
                    Push.send(hosts.get(host), requests);
                    if (round >= 0) {
                        alone[host][round * PUSHES + i] = (System.nanoTime() - begun) / 1e6;
                    }
                }
            }
            for (int host = 0; host < hosts.size(); host++) {
                double rate = pushTogether(hosts.get(host), repository, made, from);
                if (round >= 0) {
                    together[host][round] = rate;
                }
            }
        }
        for (int i = 1; i < hosts.size(); i++) {
            var what = ", " + repository + ", requests alone" + words.get(i - 1);
            Figures.row("push of a small change, ms" + what, new double[][] {alone[0], alone[i]}, Double.NaN);
            Figures.row("pushes/s, 4 at once" + what, new double[][] {together[0], together[i]}, Double.NaN);
        }
    }

    private static double pushTogether(Host host, String repository, List<List<Push>> made, int from) throws Exception {
        long begun = System.nanoTime();
        var ends = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int first = i == 0 ? 2 * from + PUSHES : from;
                var pushes = made.get(i).subList(first, first + PUSHES);
                ends.add(threads.submit(() -> {
                    for (var push : pushes) {
                        Push.send(host, push.requests(host, repository));
                    }
                    return null;
                }));
            }
            for (var end : ends) {
                end.get();
            }
        }
        return CONNECTIONS * PUSHES / ((System.nanoTime() - begun) / 1e9);
    }
}
