package dev.grapnel.purgatory.legacy;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.purgatory.legacy.LegacyEntry.Unfit;
import dev.grapnel.purgatory.legacy.Survey.Findings;
import java.io.IOException;
import java.nio.file.Path;

/// Writes the entries that cannot be used into a file beside the one they came from, each on a line with the
/// reason, so that somebody can look at them without searching for them.
final class SetAside {
    private static final String SUFFIX = ".invalid";

    private SetAside() {}

    /// Where they are written to.
    static Path fileFor(Path file) {
        return file.resolveSibling(file.getFileName() + SUFFIX);
    }

    /// Writes them; an import that is repeated writes the same once more.
    static void write(Disk disk, Path file, Findings findings, EntryCheck check) throws IOException {
        var target = fileFor(file);
        var draft = file.resolveSibling(file.getFileName() + SUFFIX + ".part");
        Disk.replace(disk, target, draft, out -> {
            var _ = FilePass.walk(file, (number, map, key, json) -> {
                if (findings.invalid().get(number) && check.check(map, key, json) instanceof Unfit(var _, var reason)) {
                    var line = new JsonWriter(256).raw("{\"map\":").string(map.toString());
                    line.raw(",\"key\":").string(key).raw(",\"reason\":").string(reason);
                    json.ifPresent(bytes -> line.raw(",\"entry\":").raw(onOneLine(bytes)));
                    out.write(line.raw("}\n").toArray());
                }
            });
        });
    }

    /// Line breaks in JSON are always between tokens.
    private static Bytes onOneLine(byte[] json) {
        var line = json.clone();
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        return Bytes.wrap(line);
    }
}
