package dev.grapnel.command;

import dev.grapnel.server.control.CheckAnswer;
import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
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
            "Compares every repository of a running server with what its events say.",
            "Branches, tags and HEAD are those of the state that governs; every refs/nostr/<id> belongs to a pull"
                    + " request with that commit. Nothing is deleted. What empty states removed is listed, too.",
            "The exit code is 1 if something differs, with --repair if something still does."
        })
final class CheckCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServerOption server = new ServerOption();

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
        var line = new ChangingLine(spec.commandLine().getErr(), invocation.isErrTerminal(), System::nanoTime);
        var summary = new AtomicReference<>(new Fields(Map.of()));
        try (var client = server.connect(invocation.environment())) {
            client.ask(request(), new ControlClient.Receiver() {
                @Override
                public void line(Fields found) {
                    line.clear();
                    if (found.findNumber("left").isPresent()) {
                        summary.set(found);
                    }
                    if (json || found.findNumber("left").isEmpty()) {
                        new StandardOutput(invocation).print(json ? found.json() : CheckText.line(found));
                    }
                }

                @Override
                public void progress(Fields progress) {
                    line.show(_ -> Figures.number(progress.findNumber("done").orElse(0)) + " of "
                            + Figures.count(progress.findNumber("total").orElse(0), "name"));
                }
            });
        }
        line.clear();
        if (!json) {
            new StandardOutput(invocation).print(CheckText.summary(summary.get(), repair));
        }
        return summary.get().findNumber("left").orElse(1) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private ControlRequest request() {
        var arguments = new HashMap<String, JsonValue>();
        identifier.ifPresent(name -> arguments.put("identifier", new JsonValue.Text(name)));
        arguments.put("repair", new JsonValue.Truth(repair));
        arguments.put("objects", new JsonValue.Truth(objects));
        return new ControlRequest(CheckAnswer.NAME, arguments);
    }
}
