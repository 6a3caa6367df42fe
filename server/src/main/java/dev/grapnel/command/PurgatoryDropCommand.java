package dev.grapnel.command;

import dev.grapnel.server.control.DropAnswer;
import dev.grapnel.server.control.JsonValue.Text;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `grapnel purgatory drop`.
@Command(
        name = "drop",
        description = {
            "Drops one event that waits.",
            "Nobody is told, and nothing keeps its sender from sending it again."
        })
final class PurgatoryDropCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(paramLabel = "<id>", description = "Id of the event, or its first digits, 8 at least.")
    private String id = "";

    @Option(names = "--json", description = "Prints one JSON object, for programs.")
    private boolean json;

    PurgatoryDropCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var dropped = server.ask(
                        invocation.environment(), DropAnswer.NAME, Map.of("id", new Text(id.toLowerCase(Locale.ROOT))))
                .getFirst();
        new StandardOutput(invocation).print(json ? dropped.json() : "dropped this event:\n" + HeldText.all(dropped));
        return ExitCode.OK;
    }
}
