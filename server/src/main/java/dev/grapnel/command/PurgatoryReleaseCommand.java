package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.ReleaseAnswer;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `grapnel purgatory release`.
@Command(
        name = "release",
        description = {
            "Has the server look at once at what waits and what needs repair, and serve what has its git data.",
            "It does so by itself whenever something changes, so this is for those who do not trust that. Nothing is"
                    + " served whose objects are not here."
        })
final class PurgatoryReleaseCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "<identifier>",
            description = "Only repositories of this name; without it all under which something waits.")
    private Optional<String> identifier = Optional.empty();

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    PurgatoryReleaseCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var arguments = new HashMap<String, JsonValue>();
        identifier.ifPresent(name -> arguments.put("identifier", new JsonValue.Text(name)));
        var lines = server.ask(invocation.environment(), ReleaseAnswer.NAME, arguments);
        var out = new StandardOutput(invocation);
        lines.forEach(line -> out.print(json ? line.json() : text(line)));
        return lines.getLast().findNumber("failed").orElse(1) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String text(Fields line) {
        var problem = line.findText("problem");
        if (problem.isPresent()) {
            return SafeText.of(line.findText("identifier").orElse("?") + ": " + problem.get());
        }
        return line.findText("unknown")
                .map(name -> "nothing called " + SafeText.of(name)
                        + " is known here: nobody announces it, and nothing waits or needs repair under that name")
                .orElseGet(() -> summary(line));
    }

    private static String summary(Fields line) {
        return "looked at " + Figures.count(number(line, "identifiers"), "identifier") + ": "
                + Figures.count(number(line, "released"), "event") + " released, "
                + Figures.number(number(line, "held")) + " still held, "
                + Figures.repositories(number(line, "repairs")) + " to repair";
    }

    private static long number(Fields fields, String name) {
        return fields.findNumber(name).orElse(0);
    }
}
