package dev.grapnel.command;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.purgatory.reconcile.IntegrityFindings;
import dev.grapnel.server.StoppedServer;
import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlOutput;
import dev.grapnel.server.control.ControlRefusal;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `grapnel check`.
@Command(
        name = "check",
        aliases = "integrity-check",
        description = {
            "Compares every repository with what its events say.",
            "Branches, tags and HEAD are those of the state that governs; every refs/nostr/<id> belongs to a pull"
                    + " request with that commit; and the objects they name can be read. Nothing is deleted. What empty"
                    + " states removed is listed, too.",
            "A repository that cannot be read is told as such, and the others are compared all the same.",
            "A running server does it itself. Without one the data is opened, and what --repair enters in the ledger"
                    + " is put right when the server starts.",
            "The exit code is 1 if something differs, with --repair if something still does."
        })
final class CheckCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private DataOption data = new DataOption();

    @Option(names = "--identifier", paramLabel = "<d>", description = "Only repositories of this name.")
    private Optional<String> identifier = Optional.empty();

    @Option(names = "--repair", description = "Enters differences in the repair ledger, and has them put right now.")
    private boolean repair;

    @Option(
            names = "--objects",
            description = "Reads all objects that refs reach as well, which takes as long as reading the disk does.")
    private boolean objects;

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    CheckCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var store = data.store(invocation.environment());
        var found = new Findings();
        var problems = new Problems(spec.commandLine().getErr());
        var server = ControlClient.connect(store);
        if (server.isPresent()) {
            ask(server.get(), found);
        } else {
            look(store, found, problems);
        }
        found.line.clear();
        problems.finish();
        if (!json) {
            new StandardOutput(invocation).print(CheckText.summary(found.summary, repair, server.isPresent()));
        }
        boolean isGood = found.summary.findNumber("left").orElse(1) == 0 && problems.count() == 0;
        return isGood ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void ask(ControlClient client, Findings found) {
        try (client) {
            client.ask(request(), found);
        }
    }

    private void look(Path directory, Findings found, Problems problems) {
        var environment = invocation.environment();
        OpenStore.requireStore(directory);
        var git = data.git(environment);
        var settings = data.configuration(environment);
        var clock = InstantSource.system();
        var store = repair
                ? OpenStore.forMending(directory, clock, problems)
                : OpenStore.forReading(directory, clock, problems);
        try (var stopped = StoppedServer.open(store, git, settings, clock)) {
            new CheckAnswer(
                            stopped.integrity(),
                            new IntegrityFindings(),
                            stopped.repositories(),
                            stopped.store(),
                            _ -> {}, // there is nobody who could
                            clock)
                    .run(request(), found);
        } catch (ControlRefusal e) {
            throw new ToolFailure(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ToolFailure("the repositories could not be compared: " + e.getMessage(), e);
        }
    }

    private ControlRequest request() {
        var arguments = new HashMap<String, JsonValue>();
        identifier.ifPresent(name -> arguments.put("identifier", new JsonValue.Text(name)));
        arguments.put("repair", new JsonValue.Truth(repair));
        arguments.put("objects", new JsonValue.Truth(objects));
        return new ControlRequest(CheckAnswer.NAME, arguments);
    }

    /// Prints what is found, whoever looks.
    private final class Findings implements ControlClient.Receiver, ControlOutput {
        private final ChangingLine line =
                new ChangingLine(spec.commandLine().getErr(), invocation.isErrTerminal(), System::nanoTime);
        private Fields summary = new Fields(Map.of());

        @Override
        public void line(Fields found) {
            line.clear();
            boolean isSummary = found.findNumber("left").isPresent();
            if (isSummary) {
                summary = found;
            }
            if (json || !isSummary) {
                new StandardOutput(invocation).print(json ? found.json() : CheckText.line(found));
            }
        }

        @Override
        public void progress(Fields progress) {
            line.show(_ -> Figures.number(progress.findNumber("done").orElse(0)) + " of "
                    + Figures.count(progress.findNumber("total").orElse(0), "name"));
        }

        @Override
        public void line(JsonWriter found) {
            line(fields(found));
        }

        @Override
        public void progress(JsonWriter progress) {
            progress(fields(progress));
        }

        @Override
        public void requireWanted() {
            // whoever does not want it any more ends this process
        }

        private static Fields fields(JsonWriter written) {
            if (JsonValue.parse(written.toString().getBytes(StandardCharsets.UTF_8))
                    instanceof Parsed.Valid<JsonValue>(Fields fields)) {
                return fields;
            }
            throw new IllegalStateException("a line of the answer is no object");
        }
    }
}
