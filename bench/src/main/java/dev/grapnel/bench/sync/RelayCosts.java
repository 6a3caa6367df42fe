package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Report;
import dev.grapnel.bench.purgatory.Rounds;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One relay that half of all repositories name, asked for everything by the real link: what each request takes, how
/// long the loop is kept, and what a filter costs (sync 8.3). In virtual time, so that no pace is in the way.
final class RelayCosts {
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final int FILTERS = 2_000;
    private static final int ROUNDS = 15;
    private static final int WIDE = 450;
    private static final int LINKS = 3;

    private final WantedIndex index;
    private final int relay;
    private final VirtualLoop loop = new VirtualLoop();
    private final PoliteRelay remote = new PoliteRelay(loop, false);
    private final Link link;

    private RelayCosts(WantedIndex index, int relay, int width) {
        this.index = index;
        this.relay = relay;
        this.link = new MadeUpLinks(index, loop).link(relay, width, remote);
    }

    static void print(Load load, Path directory) throws IOException {
        try (var filled = new FilledIndex(load, directory, new OwnStates())) {
            int busiest = filled.busiest();
            Report.line(
                    "%n## One relay that %,d repositories name, of %s%n",
                    filled.index().pairCount(busiest), load);
            Report.line("| | CPU | bound |%n|---|--:|--:|");
            filters(filled.index(), 100, "50");
            filters(filled.index(), WIDE, "200");
            double heap = Report.heapMegabytes();
            for (int round = 0; round < LINKS; round++) { // the first is for the compiler, too
                var costs = new RelayCosts(filled.index(), busiest, WIDE);
                Report.line("| **link %d** | | |", round + 1);
                costs.askForEverything();
                costs.askAgain();
                Report.line("| heap of the link, MB | %.1f | |", Report.heapMegabytes() - heap);
                costs.close();
            }
        }
    }

    /// From the ordinals of roots to the text of a request.
    private static void filters(WantedIndex index, int width, String bound) {
        var micros = new double[ROUNDS];
        long length = 0;
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            int from = 0;
            long begun = Report.cpuNanos();
            for (int i = 0; i < FILTERS; i++) {
                from = from + width >= index.figures().roots() ? 0 : from + width;
                length += request(index, from, width);
            }
            micros[Math.max(0, round)] = (Report.cpuNanos() - begun) / 1e3 / FILTERS;
        }
        Report.line(
                "| build one filter of %d, µs (%,d bytes) | %s | %s |",
                width, length / (2L * ROUNDS * FILTERS), Rounds.of(micros).shown(1), bound);
    }

    private static int request(WantedIndex index, int from, int width) {
        var ids = new ArrayList<String>(width);
        for (int root = from; root < from + width; root++) {
            EventId id = index.rootId(root);
            ids.add(id.toString());
        }
        var filter = Filter.builder().tag('e', ids).limit(500).build();
        return new ClientMessage.Subscribe(new SubscriptionId("h1"), List.of(filter))
                .json()
                .length();
    }

    private void askForEverything() {
        long begun = Report.cpuNanos();
        remote.serve(link);
        Report.line("| connect: plan, whole-relay diff, ms | %.1f | 100 |", (Report.cpuNanos() - begun) / 1e6);
        report("everything", begun);
    }

    private void askAgain() {
        long requests = remote.requests();
        long begun = Report.cpuNanos();
        if (!link.beginDaily()) {
            throw new IllegalStateException("the first sync is not complete");
        }
        Report.line("| a new epoch, ms | %.1f | 100 |", (Report.cpuNanos() - begun) / 1e6);
        report("everything once more", begun);
        if (remote.requests() == requests) {
            throw new IllegalStateException("nothing was asked again");
        }
    }

    private void report(String what, long begun) {
        long requests = remote.requests();
        long turns = loop.turns();
        var began = loop.wall();
        do {
            loop.run(LOOK);
        } while (link.state() == LinkState.SYNCING);
        double cpu = (Report.cpuNanos() - begun) / 1e3;
        long count = Math.max(1, remote.requests() - requests);
        Report.line("| %s: requests | %,d | |", what, count);
        Report.line("| CPU of each, from pulling to confirming, µs | %.1f | |", cpu / count);
        Report.line("| EOSE, µs | %s | 5 |", remote.ends().micros());
        Report.line(
                "| EOSE that confirms a batch, µs | %s | |",
                remote.confirmations().micros());
        Report.line("| longest of %,d turns, ms | %.1f | 50 |", loop.turns() - turns, loop.takeLongest());
        Report.line(
                "| virtual time without a pace, s | %,d | |",
                Duration.between(began, loop.wall()).toSeconds());
    }

    private void close() {
        link.lost();
        Report.line("| pairs at the end | %,d | |", index.pairCount(relay));
    }
}
