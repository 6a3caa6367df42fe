package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.HuntLimitsAnswer;
import dev.grapnel.server.control.JsonValue;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel hunt limits`.
@Command(
        name = "limits",
        description = {
            "Shows how much of other git servers a running server uses, and changes what is given here at once.",
            "After its next start the settings count again."
        })
final class HuntLimitsCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--domain-concurrent", paramLabel = "<n>", description = "Fetches from one domain at once.")
    private Optional<Long> concurrent = Optional.empty();

    @Option(names = "--domain-rate-limit", paramLabel = "<n>", description = "Visits of one domain in a minute.")
    private Optional<Long> perMinute = Optional.empty();

    @Option(
            names = "--domain-override",
            paramLabel = "<host:n,n;...>",
            description = "Other numbers for some domains, in place of all that were given before; empty for none.")
    private Optional<String> overrides = Optional.empty();

    @Option(names = "--max-concurrent", paramLabel = "<n>", description = "Fetches at once.")
    private Optional<Long> fetches = Optional.empty();

    @Option(names = "--max-per-address", paramLabel = "<n>", description = "Connections to one address.")
    private Optional<Long> perAddress = Optional.empty();

    HuntLimitsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var arguments = new HashMap<String, JsonValue>();
        concurrent.ifPresent(number -> arguments.put("concurrent", new JsonValue.Digits(Long.toString(number))));
        perMinute.ifPresent(number -> arguments.put("perMinute", new JsonValue.Digits(Long.toString(number))));
        fetches.ifPresent(number -> arguments.put("fetches", new JsonValue.Digits(Long.toString(number))));
        perAddress.ifPresent(number -> arguments.put("perAddress", new JsonValue.Digits(Long.toString(number))));
        overrides.ifPresent(text -> arguments.put("overrides", new JsonValue.Text(text)));
        var limits = server.look(invocation.environment(), HuntLimitsAnswer.NAME, arguments)
                .getLast();
        var out = new StandardOutput(invocation);
        out.print("fetches from one domain at once: "
                + limits.findNumber("concurrent").orElse(0));
        out.print("visits of one domain in a minute: "
                + limits.findNumber("perMinute").orElse(0));
        out.print("fetches at once: " + limits.findNumber("fetches").orElse(0));
        out.print(
                "connections to one address: " + limits.findNumber("perAddress").orElse(0));
        var others = limits.findText("overrides").orElse("");
        out.print("other numbers for: " + (others.isEmpty() ? "no domain" : SafeText.of(others)));
        if (limits.isTrue("changed")) {
            out.print("changed until the next start");
        }
        return ExitCode.OK;
    }
}
