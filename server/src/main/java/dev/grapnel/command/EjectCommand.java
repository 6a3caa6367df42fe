package dev.grapnel.command;

import dev.grapnel.server.control.EjectAnswer;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Text;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel eject`.
@Command(
        name = "eject",
        aliases = "holding-eject",
        description = {
            "Deletes for good what the trash of a running server keeps of a repository.",
            "Its git data, the events that left with it and the records of what empty states removed, before their time"
                    + " is over. A repository that is served is never touched."
        })
final class EjectCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--owner", paramLabel = "<npub or hex>", required = true, description = "Who owned it.")
    private String owner = "";

    @Option(names = "--identifier", paramLabel = "<d>", required = true, description = "What it was called.")
    private String identifier = "";

    EjectCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var arguments = Map.<String, JsonValue>of(
                "owner", new Text(GitOption.key(owner).toHex()),
                "identifier", new Text(GitOption.name(identifier).text()));
        var ejected = server.ask(invocation.environment(), EjectAnswer.NAME, arguments)
                .getFirst();
        new StandardOutput(invocation)
                .print(CheckText.repository(ejected) + ": deleted for good, with "
                        + Figures.count(ejected.findNumber("events").orElse(0), "event") + " and "
                        + Figures.count(ejected.findNumber("records").orElse(0), "trash record"));
        return ExitCode.OK;
    }
}
