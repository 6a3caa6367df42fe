package dev.grapnel.bench.load;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/// Drives any Nostr relay and tells how it did. `scripts/load COMMAND --help` shows the options; how to measure
/// well is in `docs/how-to/measure-a-relay.md`.
///
/// - `prepare` writes signed events to a file;
/// - `ingest` publishes them, `req` asks for them, `sync` reconciles with them;
/// - `fanout` has one publisher and many subscribers, `idle` opens connections and holds them;
/// - `ceiling` measures the tool itself against a relay that does nothing (`echo`).
///
/// The exit code is 1 if anything unexpected happened: then the figures are not to be used.
@Command(
        name = "load",
        description = "Measures any Nostr relay by its ws:// URL.",
        mixinStandardHelpOptions = true,
        subcommands = {
            PrepareCommand.class,
            IngestCommand.class,
            RequestCommand.class,
            FanoutCommand.class,
            IdleCommand.class,
            SyncCommand.class,
            CeilingCommand.class,
            EchoCommand.class
        })
public final class LoadTool {
    /// Runs a command.
    public static void main(String[] args) {
        System.exit(new CommandLine(new LoadTool())
                .setExecutionExceptionHandler(LoadTool::explain)
                .execute(args));
    }

    /// A relay that cannot be reached needs a sentence; anything else is a fault of ours, whose place must be
    /// seen.
    private static int explain(Exception problem, CommandLine command, CommandLine.ParseResult arguments)
            throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        var cause = problem.getCause() == null ? "" : " (" + problem.getCause().getMessage() + ")";
        command.getErr().println("load: " + problem.getMessage() + cause);
        command.getErr().flush();
        return ExitCode.SOFTWARE;
    }

    /// The exit code of a contest.
    static int codeOf(Contest contest) {
        return contest.isMarked() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
