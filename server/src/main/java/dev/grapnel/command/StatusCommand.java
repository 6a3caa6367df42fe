package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.StatusAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel status`.
@Command(
        name = "status",
        description = {
            "Asks a running server how it is.",
            "Only whoever the server runs as may ask. The exit code is 1 if no server runs."
        })
final class StatusCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--json", description = "Prints one JSON object, for programs.")
    private boolean json;

    StatusCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var status = server.look(invocation.environment(), StatusAnswer.NAME, Map.of())
                .getFirst();
        new StandardOutput(invocation).print(json ? status.json() : text(status));
        return ExitCode.OK;
    }

    private static String text(Fields status) {
        var held = status.findFields("held").orElse(new Fields(Map.of()));
        var health = status.items("health").stream()
                .map(reason -> reason instanceof JsonValue.Text(var words) ? words : reason.json())
                .collect(Collectors.joining(", "));
        var lines = new ArrayList<String>();
        lines.add("Grapnel " + status.findText("version").orElse("?") + ", up "
                + Figures.clock(Duration.ofSeconds(number(status, "uptimeSeconds"))) + ", "
                + (health.isEmpty() ? "healthy" : "not ready: " + health));
        lines.add(row(
                "address", SafeText.of(status.findText("domain").orElse("?")) + " on port " + number(status, "port")));
        lines.add(row("connections", Figures.number(number(status, "connections"))));
        lines.add(row(
                "events",
                Figures.number(number(status, "events")) + " served, commit number "
                        + Figures.number(number(status, "commitNumber"))));
        lines.add(row("repositories", Figures.number(number(status, "repositories"))));
        lines.add(row(
                "held",
                Figures.count(number(held, "announcement"), "announcement") + " ("
                        + Figures.number(number(held, "announcement_soft")) + " more without repository, "
                        + Figures.number(number(held, "reference")) + " for reference), "
                        + Figures.count(number(held, "state"), "state") + ", "
                        + Figures.count(number(held, "pr"), "pull request") + ", "
                        + Figures.count(number(held, "placeholder"), "placeholder")));
        lines.add(row(
                "remembered",
                Figures.count(number(status, "expired"), "expired event") + ", of which "
                        + Figures.number(number(status, "dormant")) + " dormant"));
        lines.add(row("gates", Figures.number(number(status, "gates"))));
        lines.add(row("to repair", Figures.repositories(number(status, "repairs"))));
        lines.add(row("trash", Figures.count(number(status, "trash"), "record")));
        status.findNumber("diskFreeBytes").ifPresent(bytes -> lines.add(row("disk free", Figures.bytes(bytes))));
        return String.join("\n", lines);
    }

    private static String row(String name, String value) {
        return String.format(Locale.ROOT, "%-14s%s", name, value);
    }

    private static long number(Fields fields, String name) {
        return fields.findNumber(name).orElse(0);
    }
}
