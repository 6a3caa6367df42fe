package dev.grapnel.command;

import dev.grapnel.server.control.SyncListAnswer;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel sync list`.
@Command(
        name = "list",
        description = {
            "Lists the relays that the server follows: whether each is connected, how it fares, how far behind we are,"
                    + " and what it did wrong last. Those to look at stand first.",
            "grapnel sync show tells all about one."
        })
final class SyncListCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    SyncListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var rows = server.look(invocation.environment(), SyncListAnswer.NAME, Map.of());
        var out = new StandardOutput(invocation);
        if (json) {
            rows.forEach(row -> out.print(row.json()));
        } else {
            SyncText.table(rows).forEach(out::print);
        }
        return ExitCode.OK;
    }
}
