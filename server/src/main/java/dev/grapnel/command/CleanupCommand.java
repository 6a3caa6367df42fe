package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.reconcile.EmptyRepositories;
import dev.grapnel.purgatory.reconcile.EmptyRepositories.Found;
import dev.grapnel.server.StoppedServer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `grapnel cleanup-empty-repos`.
@Command(
        name = "cleanup-empty-repos",
        description = {
            "Looks for announcements without repository, and repositories without announcement, while no server runs.",
            "A served announcement whose repository is missing or has no refs is removed with its author's states and"
                    + " the directory, unless an empty state says that there shall be none. A repository that nobody"
                    + " announces is removed if it has no refs.",
            "Without --execute this is only told. What waits, was withdrawn, is only referred to, is in the trash or"
                    + " below prs/ is never looked at."
        })
final class CleanupCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private DataOption data = new DataOption();

    @Option(names = "--execute", description = "Removes what is told.")
    private boolean execute;

    @Option(names = "--purge-orphans", description = "Also repositories that nobody announces and that have refs.")
    private boolean purgeOrphans;

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    CleanupCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var directory = data.store(invocation.environment());
        requireNoServer(directory);
        OpenStore.requireStore(directory);
        var git = data.git(invocation.environment());
        var settings = data.configuration(invocation.environment());
        var problems = new Problems(spec.commandLine().getErr());
        var clock = InstantSource.system();
        var store = execute
                ? OpenStore.forMending(directory, clock, problems)
                : OpenStore.forReading(directory, clock, problems);
        var counts = new Counts();
        try (var stopped = StoppedServer.open(store, git, settings, clock)) {
            cleanUp(stopped.emptyRepositories(), counts, problems);
        } catch (IOException e) {
            throw new ToolFailure("the repositories could not be looked through: " + e.getMessage(), e);
        }
        problems.finish();
        new StandardOutput(invocation).print(json ? counts.json() : counts.sentence());
        return problems.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static void requireNoServer(Path directory) {
        try (var server = ControlClient.connect(directory).orElse(null)) {
            if (server != null) {
                throw new ToolFailure("a server runs with the data in " + directory
                        + ": stop it first, because it would not notice what is removed");
            }
        }
    }

    private void cleanUp(EmptyRepositories repositories, Counts counts, Problems problems) throws IOException {
        var extent = repositories.extent();
        counts.announced = extent.announced();
        counts.onDisk = extent.onDisk();
        for (var found : repositories.find()) {
            if (found instanceof Found.Unreadable(var address, var reason)) {
                problems.accept(SafeText.of(name(address) + ": it cannot be read, and is left alone: " + reason));
            }
            try {
                boolean isDue = isDue(found);
                int events = isDue && execute ? repositories.remove(found).events() : 0;
                tell(found, isDue && execute, events);
                counts.due += isDue ? 1 : 0;
                counts.kept += isDue ? 0 : 1;
                counts.events += events;
            } catch (IOException e) {
                problems.accept(SafeText.of(name(found.repository()) + ": its directory is still there: " + e));
                counts.kept++;
            }
        }
    }

    private boolean isDue(Found found) {
        return switch (found) {
            case Found.Announced _ -> true;
            case Found.Orphan(var _, var refs) -> refs == 0 || purgeOrphans;
            case Found.Unreadable _ -> false;
        };
    }

    private static String name(RepositoryAddress address) {
        return new Npub(address.owner()).text() + "/" + address.identifier().text();
    }

    private void tell(Found found, boolean isRemoved, int events) {
        var out = new StandardOutput(invocation);
        if (json) {
            out.print(json(found, isRemoved, events).toString());
        } else if (!(found instanceof Found.Unreadable)) {
            out.print(SafeText.of(name(found.repository())) + ": " + sentence(found, isRemoved, events));
        }
    }

    private String sentence(Found found, boolean isRemoved, int events) {
        return switch (found) {
            case Found.Announced(var _, var isMissing, var governing) ->
                (isMissing ? "its repository is missing" : "its repository has no refs")
                        + governing
                                .map(state -> ", though the state " + state + " names refs")
                                .orElse("")
                        + (isRemoved ? "; removed with " + Figures.count(events, "event") : "; to be removed");
            case Found.Orphan(var _, var refs) -> "nobody announces it" + orphan(refs, isRemoved);
            case Found.Unreadable(var _, var reason) -> "it cannot be read: " + reason;
        };
    }

    private String orphan(int refs, boolean isRemoved) {
        var what = refs == 0 ? ", and it has no refs; " : ", but it has " + Figures.count(refs, "ref") + "; ";
        if (isRemoved) {
            return what + "removed";
        }
        return what + (refs == 0 || purgeOrphans ? "to be removed" : "kept, unless --purge-orphans is given");
    }

    private static JsonWriter json(Found found, boolean isRemoved, int events) {
        var out = new JsonWriter(512)
                .raw("{\"owner\":")
                .string(new Npub(found.repository().owner()).text())
                .raw(",\"identifier\":")
                .string(found.repository().identifier().text());
        switch (found) {
            case Found.Announced(var _, var isMissing, var governing) -> {
                out.raw(",\"problem\":").string(isMissing ? "missing" : "empty");
                governing.ifPresent(state -> out.raw(",\"state\":").string(state.toHex()));
            }
            case Found.Orphan(var _, var refs) ->
                out.raw(",\"problem\":\"orphan\",\"refs\":").number(refs);
            case Found.Unreadable(var _, var reason) ->
                out.raw(",\"problem\":\"unreadable\",\"reason\":").string(reason);
        }
        return out.raw(",\"removed\":")
                .raw(Boolean.toString(isRemoved))
                .raw(",\"events\":")
                .number(events)
                .raw("}");
    }

    /// What it came to.
    private final class Counts {
        private int announced;
        private int onDisk;
        private int due;
        private int kept;
        private int events;

        String sentence() {
            return "looked at " + Figures.count(announced, "announcement") + " and " + Figures.repositories(onDisk)
                    + ": " + fate() + ", " + Figures.number(kept) + " left alone";
        }

        private String fate() {
            if (!execute) {
                return Figures.number(due) + " to be removed" + (due == 0 ? "" : " (--execute does it)");
            }
            return Figures.number(due) + " removed with " + Figures.count(events, "event");
        }

        String json() {
            return new JsonWriter(256)
                    .raw("{\"announcements\":")
                    .number(announced)
                    .raw(",\"repositories\":")
                    .number(onDisk)
                    .raw(",\"due\":")
                    .number(due)
                    .raw(",\"kept\":")
                    .number(kept)
                    .raw(",\"events\":")
                    .number(events)
                    .raw(",\"executed\":")
                    .raw(Boolean.toString(execute))
                    .raw("}")
                    .toString();
        }
    }
}
