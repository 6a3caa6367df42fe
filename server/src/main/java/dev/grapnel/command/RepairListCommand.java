package dev.grapnel.command;

import dev.grapnel.server.control.RepairsAnswer;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel repair list`.
@Command(
        name = "list",
        description = {
            "Lists repositories that the server has still to bring in line with their events.",
            "It tries again by itself, less and less often; grapnel purgatory release has it try now."
        })
final class RepairListCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    RepairListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var rows = server.look(invocation.environment(), RepairsAnswer.NAME, Map.of());
        var out = new StandardOutput(invocation);
        rows.forEach(row -> out.print(json ? row.json() : CheckText.repair(row)));
        if (!json) {
            out.print(Figures.repositories(rows.size()) + " to repair");
        }
        return ExitCode.OK;
    }
}
