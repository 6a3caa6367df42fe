package dev.grapnel.bench.git;

import dev.grapnel.Grapnel;
import dev.grapnel.command.Invocation;
import dev.grapnel.command.Serve;
import dev.grapnel.server.GitRules;
import java.util.List;

/// The whole server, but everybody may push everything, and every repository is there as soon as it is
/// asked for.
///
/// Takes the flags of `grapnel serve`, and listens to this machine only.
public final class OpenGitHost {
    private OpenGitHost() {}

    /// Runs until a signal ends it.
    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            Grapnel.main(new String[] {"serve", "--help"});
            return;
        }
        System.exit(Serve.run(Invocation.ofProcess(), Grapnel.build(), GitRules.OPEN, List.of(arguments)));
    }
}
