package dev.grapnel.command;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.control.HeldKind;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Digits;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.JsonValue.Text;
import dev.grapnel.server.control.ListAnswer;
import dev.grapnel.store.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel purgatory list`.
@Command(
        name = "list",
        description = {
            "Lists what waits, whatever leaves first in front.",
            "Expired events are remembered, but do not wait: they are listed only with --kind expired."
        })
final class PurgatoryListCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(
            names = "--kind",
            paramLabel = "<kind>",
            description = "Only these: announcement, state, pr, placeholder or expired.")
    private Optional<HeldKind> kind = Optional.empty();

    @Option(names = "--identifier", paramLabel = "<d>", description = "Only for repositories of this name.")
    private Optional<String> identifier = Optional.empty();

    @Option(names = "--author", paramLabel = "<npub or hex>", description = "Only events of this author.")
    private Optional<String> author = Optional.empty();

    @Option(
            names = "--limit",
            paramLabel = "<n>",
            defaultValue = "" + ListAnswer.LIMIT_DEFAULT,
            description =
                    "At most so many, up to " + ListAnswer.LIMIT_MAX + "; " + ListAnswer.LIMIT_DEFAULT + " otherwise.")
    private long limit;

    @Option(names = "--json", description = "Prints a JSON object in each line, for programs.")
    private boolean json;

    PurgatoryListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var lines = server.look(invocation.environment(), ListAnswer.NAME, arguments());
        var entries = lines.subList(0, lines.size() - 1);
        long matching = lines.getLast().findNumber("matching").orElse(entries.size());
        new StandardOutput(invocation).write(out -> {
            if (!json && !entries.isEmpty()) {
                out.write((HeldText.heading() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            for (var entry : entries) {
                out.write((line(entry) + "\n").getBytes(StandardCharsets.UTF_8));
            }
            if (!json) {
                out.write((summary(entries, matching) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        });
        return ExitCode.OK;
    }

    private String line(Fields entry) {
        return json ? entry.json() : HeldText.line(entry);
    }

    private static String summary(List<Fields> shown, long matching) {
        if (matching == 0) {
            return "nothing of that sort";
        }
        return shown.size() < matching
                ? Figures.number(shown.size()) + " of " + Figures.number(matching) + "; --limit shows more"
                : Figures.number(matching) + " in all";
    }

    private Map<String, JsonValue> arguments() {
        var arguments = new LinkedHashMap<String, JsonValue>();
        kind.ifPresent(word -> arguments.put("kind", new Text(word.name().toLowerCase(Locale.ROOT))));
        identifier.ifPresent(name -> arguments.put("identifier", new Text(name)));
        author.ifPresent(text -> arguments.put("author", new Text(key(text).toHex())));
        arguments.put("limit", new Digits(Long.toString(limit)));
        return arguments;
    }

    private static PublicKey key(String text) {
        return Npub.parse(text)
                .find()
                .map(Npub::key)
                .or(() -> PublicKey.parse(text).find())
                .orElseThrow(() -> new ToolFailure("an author is an npub or 64 hex digits, not '" + text + "'"));
    }
}
