package dev.grapnel.command;

import dev.grapnel.log.SafeText;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.SyncNowAnswer;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `grapnel sync now`.
@Command(
        name = "now",
        description = {
            "Has the server compare everything that it wants with what the relays have, all that are connected or one,"
                    + " as it does by itself once a day. One that is named and not connected is called now, whatever it"
                    + " waits for, unless it asked us to slow down.",
            "Eight relays are compared at once; limits of the relays count as always."
        })
final class SyncNowCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(arity = "0..1", paramLabel = "<relay>", description = "Only this one; wss:// may be left out.")
    private Optional<String> relay = Optional.empty();

    SyncNowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var arguments = new HashMap<String, JsonValue>();
        relay.ifPresent(text -> arguments.put("relay", new JsonValue.Text(text)));
        var answer = server.look(invocation.environment(), SyncNowAnswer.NAME, arguments)
                .getLast();
        long meant = answer.findNumber("meant").orElse(0);
        new StandardOutput(invocation)
                .print(answer.findFields("relay")
                        .map(one -> one(one, meant > 0, answer.isTrue("called")))
                        .orElseGet(
                                () -> all(meant, answer.findNumber("followed").orElse(0))));
        return ExitCode.OK;
    }

    private static String all(long meant, long followed) {
        return meant == 0
                ? "nothing to compare with: none of " + Figures.count(followed, "relay") + " is connected"
                : "comparing with " + Figures.count(meant, "relay") + " soon, of " + Figures.number(followed)
                        + " that are followed; those that are not connected follow when they are";
    }

    private static String one(Fields row, boolean isMeant, boolean isCalled) {
        var name = SafeText.of(row.findText("relay").orElse("?"));
        if (isMeant) {
            return "comparing with " + name + " soon";
        }
        return isCalled
                ? "calling " + name + " now; grapnel sync show tells what comes of it"
                : name + " is not connected; next try: "
                        + SafeText.of(row.findText("nextTry").orElse("now"));
    }
}
