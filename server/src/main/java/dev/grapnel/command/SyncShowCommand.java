package dev.grapnel.command;

import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.SyncShowAnswer;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `grapnel sync show`.
@Command(
        name = "show",
        description = "Tells all that the server knows of a relay that it follows: what is streamed and awaited, limits"
                + " of the relay's that were found out, and what it did wrong.")
final class SyncShowCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(arity = "1", paramLabel = "<relay>", description = "Its address; wss:// may be left out.")
    private String relay = "";

    @Option(names = "--json", description = "Prints a JSON object, for programs.")
    private boolean json;

    SyncShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var row = server.look(invocation.environment(), SyncShowAnswer.NAME, Map.of("relay", new JsonValue.Text(relay)))
                .getLast();
        var out = new StandardOutput(invocation);
        if (json) {
            out.print(row.json());
        } else {
            SyncText.whole(row).forEach(out::print);
        }
        return ExitCode.OK;
    }
}
