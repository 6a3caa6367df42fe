package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Does something with a store in a process of its own.
final class StoreProcess {
    private StoreProcess() {}

    /// What to do.
    enum Task {
        /// Opens it and closes it.
        OPEN,
        /// Opens it to read it, and closes it.
        READ,
        /// Writes until that fails, then a little more.
        FILL
    }

    /// Runs in the background of the test's own settings; returns what it printed.
    ///
    /// @param limit shell command before it, such as one that sets a limit
    /// @param flags for the JVM
    static String run(Task task, Path directory, String limit, String... flags)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.addAll(List.of("sh", "-c", limit + " exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-Xmx200m", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(StoreProcess.class.getName(), task.name(), directory.toString()));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "exit " + process.waitFor();
    }

    public static void main(String[] arguments) {
        var directory = Path.of(arguments[1]);
        try {
            switch (Task.valueOf(arguments[0])) {
                case OPEN -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS).close();
                case READ -> LmdbEngine.openToRead(directory).close();
                case FILL -> fill(directory);
            }
            System.out.println("done");
        } catch (StoreFailure e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void fill(Path directory) {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withDurability(Durability.SYNC))) {
            int last = fillUntilFailure(engine);
            try (var snapshot = engine.pin()) {
                System.out.println("kept " + (snapshot.count(Table.EVENTS) == last + 1));
            }
            try {
                put(engine, last + 1, 10_000_000);
            } catch (StoreFailure e) {
                System.out.println("again: " + e.getMessage());
            }
            System.out.println("problems " + engine.checkPages());
            try (var tables = engine.begin()) {
                for (int i = 0; i < 5; i++) {
                    tables.remove(Table.EVENTS, i);
                }
                tables.commit();
            }
            put(engine, last + 1, 100);
            try (var snapshot = engine.pin()) {
                System.out.println("recovered " + (snapshot.count(Table.EVENTS) == last - 3));
            }
        }
    }

    private static int fillUntilFailure(LmdbEngine engine) {
        for (int i = 0; ; i++) {
            try {
                put(engine, i, 50_000);
            } catch (StoreFailure e) {
                System.out.println("failed: " + e.getMessage());
                return i - 1;
            }
        }
    }

    private static void put(LmdbEngine engine, int number, int bytes) {
        try (var tables = engine.begin()) {
            tables.put(Table.EVENTS, number, new byte[bytes]);
            tables.add(Table.TIMES, new byte[] {1}, number, number);
            tables.commit();
        }
    }
}
