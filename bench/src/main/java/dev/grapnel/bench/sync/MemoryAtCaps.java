package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.world.Gate.Ruling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What sync keeps in memory when everything that has a limit is full, and at the founding target (sync 8.1, 8.2).
final class MemoryAtCaps {
    private static final int LINKS = 200;
    private static final int LINKS_MAX = 1_000;
    private static final int PREFIXES_MAX = 10_000_000;
    private static final double INBOUND = 256 * 1.048576;
    /// Comparisons have what tables leave of 2 GiB, within these bounds.
    private static final double VECTORS_LEAST = 32 * 1.048576;

    private static final double VECTORS_MOST = 256 * 1.048576;
    private static final double ALL = 2048 * 1.048576;
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final int WIDTH = 450;

    private double sum;

    private MemoryAtCaps() {}

    static void print(Load load, Path directory) throws IOException {
        warmUp(directory.resolve("before"));
        new MemoryAtCaps().founding(directory.resolve("founding"));
        new MemoryAtCaps().full(load, directory.resolve("full"));
    }

    /// Loads what is loaded once, which is no state of sync.
    private static void warmUp(Path directory) throws IOException {
        try (var filled = new FilledIndex(new Load(100, 1_000, 0, 10), directory, new OwnStates())) {
            links(filled, 10, false);
        }
    }

    private void founding(Path directory) throws IOException {
        var load = Load.FOUNDING;
        Report.line("%n## Memory at the founding target: %s%n", load);
        Report.line("| | MB | sync 8.1 |%n|---|--:|--:|");
        double before = Report.heapMegabytes();
        try (var filled = new FilledIndex(load, directory, new OwnStates())) {
            row("large tables, in whole chunks", mapped(filled), "");
            var links = links(filled, load.relays(), false);
            row("heap: small tables and " + links.size() + " links", Report.heapMegabytes() - before, "");
            Report.line("| all | %.1f | 5 |", sum);
        }
    }

    private static double mapped(FilledIndex filled) {
        return filled.tables().values().stream().mapToLong(bytes -> bytes).sum() / 1e6;
    }

    private void full(Load load, Path directory) throws IOException {
        Report.line("%n## Memory with everything full: %s%n", load);
        Report.line("| | MB | sync 8.2 |%n|---|--:|--:|");
        double before = Report.heapMegabytes();
        try (var filled = new FilledIndex(load, directory, new OwnStates())) {
            row("large tables (files in memory)", mapped(filled), "1,031");
            double small = Report.heapMegabytes();
            row("small tables: repositories, pairs, marks", small - before, "25");
            var links = links(filled, LINKS, true);
            double linked = Report.heapMegabytes();
            row(
                    "%,d links with all batches under way, from %d".formatted(LINKS_MAX, links.size()),
                    (linked - small) * LINKS_MAX / links.size(),
                    "101");
            prefixes(filled);
        }
        refused();
        row("inbound buffers, their limit", INBOUND, "268");
        row("sets of comparisons, what is left", Math.clamp(ALL - sum, VECTORS_LEAST, VECTORS_MOST), "268");
        Report.line("| all | %,.0f | 2,147 |", sum);
    }

    private void row(String name, double megabytes, String bound) {
        sum += megabytes;
        Report.line("| %s | %,.1f | %s |", name, megabytes, bound);
    }

    /// Links that are connected.
    ///
    /// @param isMute whether what they ask for is never answered
    private static List<Link> links(FilledIndex filled, int count, boolean isMute) {
        var loop = new VirtualLoop();
        var made = new MadeUpLinks(filled.index(), loop);
        var links = new ArrayList<Link>();
        for (int relay = 0; relay < Math.min(count, filled.index().figures().relays()); relay++) {
            var remote = new PoliteRelay(loop, isMute);
            var link = made.link(relay, WIDTH, remote);
            remote.serve(link);
            links.add(link);
        }
        loop.run(isMute ? A_WHILE : Duration.ofHours(1));
        return links;
    }

    /// How far threads were asked for at each relay, from one link that has asked for all of a relay's.
    private void prefixes(FilledIndex filled) {
        int relay = filled.busiest();
        int threads = threads(filled.index(), relay);
        var loop = new VirtualLoop();
        var remote = new PoliteRelay(loop, false);
        var link = new MadeUpLinks(filled.index(), loop).link(relay, WIDTH, remote);
        double before = Report.heapMegabytes();
        remote.serve(link);
        while (link.state() == LinkState.SYNCING) {
            loop.run(A_WHILE);
        }
        double each = (Report.heapMegabytes() - before) / Math.max(1, threads);
        row("prefixes of threads, %,d, from %,d".formatted(PREFIXES_MAX, threads), each * PREFIXES_MAX, "80");
        link.lost();
    }

    /// Roots with members that a relay is asked for.
    private static int threads(WantedIndex index, int relay) {
        var count = new int[1];
        index.forEachPair(relay, pair -> {
            int repo = index.repo(pair);
            for (int place = 0; place < index.rootCount(repo); place++) {
                int root = index.root(repo, place);
                count[0] += index.asksFor(pair, root) && index.memberCount(root) > 0 ? 1 : 0;
            }
        });
        return count[0];
    }

    private void refused() {
        double before = Report.heapMegabytes();
        var made = new MadeUpIntake(new OwnStates());
        made.rule(new Ruling.Deleted());
        int seenMax = MadeUpIntake.CONFIG.seenMax();
        for (int i = 0; i < seenMax; i++) {
            made.receive(MadeUpIntake.comment(i, 0));
        }
        double seen = Report.heapMegabytes();
        row("seen ids, %,d".formatted(made.intake().figures().seen()), seen - before, "24");
        made.rule(new Ruling.Refused(Reason.ORPHAN, false, Prefix.RESTRICTED));
        for (int i = 0; i < MadeUpIntake.CONFIG.coldMax(); i++) {
            made.receive(MadeUpIntake.comment((long) seenMax + i, i));
        }
        var figures = made.intake().figures();
        row(
                "refused, %,d waiting for %,d; whole events".formatted(figures.refused(), figures.waits()),
                Report.heapMegabytes() - seen,
                "195");
    }
}
