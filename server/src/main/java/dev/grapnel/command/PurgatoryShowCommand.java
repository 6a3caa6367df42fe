package dev.grapnel.command;

import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.JsonValue.Text;
import dev.grapnel.server.control.ShowAnswer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `grapnel purgatory show`.
@Command(name = "show", description = "Shows everything about one thing that waits, or is remembered.")
final class PurgatoryShowCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(paramLabel = "<id>", description = "Id of the event, or its first digits, 8 at least.")
    private String id = "";

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    PurgatoryShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var rows = server.look(
                invocation.environment(), ShowAnswer.NAME, Map.of("id", new Text(id.toLowerCase(Locale.ROOT))));
        new StandardOutput(invocation)
                .print(rows.stream()
                        .map(json ? Fields::json : HeldText::all)
                        .collect(Collectors.joining(json ? "\n" : "\n\n")));
        return ExitCode.OK;
    }
}
