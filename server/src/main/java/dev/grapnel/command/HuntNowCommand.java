package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.HuntNowAnswer;
import dev.grapnel.server.control.JsonValue;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `grapnel hunt now`.
@Command(
        name = "now",
        description = {
            "Has the server look at once for the git data that repositories of a name lack.",
            "Limits of the servers that are asked count as always; grapnel hunt list shows what came of it."
        })
final class HuntNowCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(arity = "1", paramLabel = "<identifier>", description = "The name of the repositories.")
    private String identifier = "";

    HuntNowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var lines = server.ask(
                invocation.environment(), HuntNowAnswer.NAME, Map.of("identifier", new JsonValue.Text(identifier)));
        boolean isHunted = lines.getLast().isTrue("hunted");
        new StandardOutput(invocation)
                .print(
                        isHunted
                                ? "hunting for " + SafeText.of(identifier) + " begins"
                                : "nothing of " + SafeText.of(identifier)
                                        + " is missing here, and no event waits under that name");
        return ExitCode.OK;
    }
}
