package dev.grapnel.server.git;

import dev.grapnel.Grapnel;
import dev.grapnel.command.Invocation;
import dev.grapnel.command.Serve;
import dev.grapnel.git.maintenance.MaintenanceConfig;
import dev.grapnel.git.maintenance.UpkeepConfig;
import dev.grapnel.server.GitRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The whole server as a program, except that everybody may push. With the word `restless` before its
/// arguments it looks after its repositories without pause, and keeps nothing that no ref reaches.
final class OpenServer {
    private static final GitRules RESTLESS = new GitRules(
            GitRules.OPEN.acceptance(),
            GitRules.OPEN.hosting(),
            GitRules.OPEN.policy(),
            new MaintenanceConfig(
                    Duration.ofMillis(50), 3, 100, Duration.ofMillis(50), Duration.ofSeconds(1), 1, Long.MAX_VALUE),
            heap -> new UpkeepConfig(Duration.ZERO, 20, heap));

    private OpenServer() {}

    public static void main(String[] arguments) {
        var words = new ArrayList<>(List.of(arguments));
        var rules = words.remove("restless") ? RESTLESS : GitRules.OPEN;
        System.exit(Serve.run(Invocation.ofProcess(), Grapnel.build(), rules, words));
    }
}
