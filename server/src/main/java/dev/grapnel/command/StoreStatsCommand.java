package dev.grapnel.command;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.store.lmdb.LmdbStats;
import dev.grapnel.store.lmdb.LmdbStats.TableStats;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.OpenStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `grapnel store stats`.
@Command(name = "stats", description = "Tells how much is stored, and what the store's file is used for.")
final class StoreStatsCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--json", description = "Prints one JSON object, for programs.")
    private boolean json;

    StoreStatsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var problems = new Problems(spec.commandLine().getErr());
        try (var opened =
                OpenStore.forReading(store.directory(invocation.environment()), InstantSource.system(), problems)) {
            var stats = opened.engine().stats();
            long number = opened.store().commitNumber();
            new StandardOutput(invocation)
                    .print(
                            json
                                    ? new String(json(stats, number).toBytes().toArray(), StandardCharsets.UTF_8)
                                    : text(stats, number));
        }
        return ExitCode.OK;
    }

    private static long events(LmdbStats stats) {
        return stats.of(Table.EVENTS).entries();
    }

    private static long held(LmdbStats stats) {
        return stats.of(Table.HELD_IDS).entries();
    }

    /// Pages that are no table's: the beginning of the file, the list of tables, the list of free pages.
    private static long otherBytes(LmdbStats stats) {
        return stats.usedBytes()
                - stats.tables().values().stream().mapToLong(TableStats::bytes).sum();
    }

    private static String text(LmdbStats stats, long number) {
        var lines = new ArrayList<String>();
        lines.add(Figures.count(events(stats), "event") + ", " + Figures.number(held(stats)) + " held, commit number "
                + Figures.number(number));
        lines.add("file " + Figures.bytes(stats.fileBytes()) + ", of which used " + Figures.bytes(stats.usedBytes())
                + ", free " + Figures.count(stats.freePages(), "page"));
        lines.add("");
        lines.add(row("table", "entries", "bytes", "bytes/event"));
        for (var table : Table.values()) {
            var figures = stats.of(table);
            if (figures.entries() > 0) {
                lines.add(row(
                        table.storedName(),
                        Figures.number(figures.entries()),
                        Figures.number(figures.bytes()),
                        perEvent(figures.bytes(), stats)));
            }
        }
        lines.add(row("(overhead)", "", Figures.number(otherBytes(stats)), perEvent(otherBytes(stats), stats)));
        lines.add(row("total", "", Figures.number(stats.usedBytes()), perEvent(stats.usedBytes(), stats)));
        return String.join("\n", lines);
    }

    private static String row(String name, String entries, String bytes, String perEvent) {
        return String.format(Locale.ROOT, "%-20s %14s %18s %12s", name, entries, bytes, perEvent);
    }

    private static String perEvent(long bytes, LmdbStats stats) {
        return events(stats) == 0 ? "" : String.format(Locale.ROOT, "%,.1f", (double) bytes / events(stats));
    }

    private static JsonWriter json(LmdbStats stats, long number) {
        var json = new JsonWriter(2_048);
        json.raw("{\"events\":").number(events(stats)).raw(",\"held\":").number(held(stats));
        json.raw(",\"commitNumber\":").number(number);
        json.raw(",\"fileBytes\":").number(stats.fileBytes());
        json.raw(",\"usedBytes\":").number(stats.usedBytes());
        json.raw(",\"freePages\":").number(stats.freePages());
        json.raw(",\"otherBytes\":").number(otherBytes(stats));
        json.raw(",\"tables\":{");
        var separator = "";
        for (var table : Table.values()) {
            var figures = stats.of(table);
            json.raw(separator).string(table.storedName());
            json.raw(":{\"entries\":").number(figures.entries());
            json.raw(",\"bytes\":").number(figures.bytes());
            json.raw(",\"depth\":").number(figures.depth()).raw("}");
            separator = ",";
        }
        return json.raw("}}");
    }
}
