package dev.grapnel.command;

import dev.grapnel.server.ops.Build;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// `grapnel serve`, for its help: [Serve] does it.
@Command(
        name = "serve",
        description = {
            "Runs the server. This is what grapnel does if no other command is named.",
            "Every setting is a flag, a variable (GRAPNEL_... or NGIT_...) or a line of the configuration file (--config,"
                    + " or .env in the working directory). docs/reference/configuration.md lists them; grapnel config"
                    + " shows their values.",
            "SIGTERM and Ctrl-C stop it when everything acknowledged is stored and everybody was told; a second one stops"
                    + " it at once. SIGUSR1 makes the log finer, step by step, and then coarse again."
        })
final class ServeCommand implements Callable<Integer> {
    private final Invocation invocation;
    private final Build build;

    @Unmatched
    private List<String> flags = new ArrayList<>();

    ServeCommand(Invocation invocation, Build build) {
        this.invocation = invocation;
        this.build = build;
    }

    @Override
    public Integer call() {
        return Serve.run(invocation, build, flags);
    }
}
