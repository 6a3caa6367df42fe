package dev.grapnel.server.git;

import dev.grapnel.Grapnel;
import dev.grapnel.command.Invocation;
import dev.grapnel.command.Serve;
import dev.grapnel.server.GitRules;
import java.util.List;

/// The whole server as a program, except that everybody may push.
final class OpenServer {
    private OpenServer() {}

    public static void main(String[] arguments) {
        System.exit(Serve.run(Invocation.ofProcess(), Grapnel.build(), GitRules.OPEN, List.of(arguments)));
    }
}
