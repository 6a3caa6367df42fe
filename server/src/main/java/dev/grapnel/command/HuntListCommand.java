package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.HuntListAnswer;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `grapnel hunt list`.
@Command(
        name = "list",
        description = {
            "Lists repositories whose git data the server looks for elsewhere: how many objects are missing, what each"
                    + " address answered, and when it is tried again.",
            "It hunts by itself; grapnel hunt now has it try at once."
        })
final class HuntListCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(arity = "0..1", paramLabel = "<identifier>", description = "Only repositories of this name.")
    private Optional<String> identifier = Optional.empty();

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    HuntListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var arguments = new HashMap<String, JsonValue>();
        identifier.ifPresent(name -> arguments.put("identifier", new JsonValue.Text(name)));
        var rows = server.look(invocation.environment(), HuntListAnswer.NAME, arguments);
        var out = new StandardOutput(invocation);
        if (json) {
            rows.forEach(row -> out.print(row.json()));
        } else {
            rows.forEach(row -> text(row).forEach(out::print));
            out.print(Figures.count(rows.size(), "identifier") + " hunted for");
        }
        return ExitCode.OK;
    }

    private static List<String> text(Fields row) {
        var lines = new ArrayList<String>();
        var name = SafeText.of(row.findText("identifier").orElse("?"));
        lines.add(name + ": " + missing(row) + ", "
                + row.findText("nextAttempt")
                        .map(time -> "next try at " + SafeText.of(time))
                        .orElse("being looked for now")
                + " (" + Figures.count(row.findNumber("attempts").orElse(0), "attempt") + " in vain)");
        for (var item : row.items("answers")) {
            var answer = (Fields) item;
            lines.add("  " + SafeText.of(answer.findText("url").orElse("?")) + ": "
                    + SafeText.of(answer.findText("words").orElse("?")) + said(answer, "reason", " (", ")") + " at "
                    + SafeText.of(answer.findText("at").orElse("?"))
                    + said(answer, "notNow", "; not asked now: ", ""));
        }
        if (row.items("answers").isEmpty()) {
            lines.add("  no address was asked yet");
        }
        return lines;
    }

    private static String missing(Fields row) {
        long count = row.findNumber("missing").orElse(0);
        boolean isLookedAt = row.findNumber("attempts").orElse(0) > 0;
        return count == 0 && isLookedAt
                ? "nothing to fetch, because what waits lacks no object or can never be served"
                : Figures.count(count, "object") + " missing";
    }

    /// A field that is often empty, with what stands around it.
    private static String said(Fields answer, String field, String before, String after) {
        return answer.findText(field)
                .filter(text -> !text.isEmpty())
                .map(text -> before + SafeText.of(text) + after)
                .orElse("");
    }
}
