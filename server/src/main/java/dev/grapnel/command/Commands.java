package dev.grapnel.command;

import dev.grapnel.config.ConfigReference;
import dev.grapnel.server.control.HeldKind;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.tool.ToolFailure;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The operator's commands, to be added to the program.
public final class Commands {
    private Commands() {}

    /// Adds all of them.
    public static CommandLine addTo(CommandLine program, Invocation invocation, Build build) {
        var store = command(new StoreCommand())
                .addSubcommand(command(new StoreCheckCommand(invocation)))
                .addSubcommand(command(new StoreStatsCommand(invocation)))
                .addSubcommand(command(new StoreCompactCommand(invocation)));
        var git = command(new GitCommand())
                .addSubcommand(command(new GitCheckCommand(invocation)))
                .addSubcommand(command(new GitGcCommand(invocation)));
        var purgatory = command(new PurgatoryCommand())
                .addSubcommand(command(new PurgatoryListCommand(invocation)))
                .addSubcommand(command(new PurgatoryShowCommand(invocation)))
                .addSubcommand(command(new PurgatoryDropCommand(invocation)))
                .addSubcommand(command(new PurgatoryReleaseCommand(invocation)));
        var hunt = command(new HuntCommand())
                .addSubcommand(command(new HuntListCommand(invocation)))
                .addSubcommand(command(new HuntNowCommand(invocation)))
                .addSubcommand(command(new HuntLimitsCommand(invocation)));
        var sync = command(new SyncCommand())
                .addSubcommand(command(new SyncListCommand(invocation)))
                .addSubcommand(command(new SyncShowCommand(invocation)))
                .addSubcommand(command(new SyncNowCommand(invocation)));
        var repair = command(new RepairCommand()).addSubcommand(command(new RepairListCommand(invocation)));
        var keys = command(new KeysCommand())
                .addSubcommand(command(new KeysNewCommand(invocation)))
                .addSubcommand(command(new KeysShowCommand(invocation)));
        var repo = command(new RepoCommand())
                .addSubcommand(command(new RepoInitCommand(invocation)))
                .addSubcommand(command(new RepoStateCommand(invocation)));
        return program.addSubcommand(withSettings(command(new ServeCommand(invocation, build))))
                .addSubcommand(command(new WarmUpCommand(build)))
                .addSubcommand(command(new ImportCommand(invocation)))
                .addSubcommand(command(new ExportCommand(invocation)))
                .addSubcommand(withSettings(command(new ConfigCommand(invocation))))
                .addSubcommand(command(new StatusCommand(invocation)))
                .addSubcommand(keys)
                .addSubcommand(repo)
                .addSubcommand(purgatory)
                .addSubcommand(command(new CheckCommand(invocation)))
                .addSubcommand(repair)
                .addSubcommand(hunt)
                .addSubcommand(sync)
                .addSubcommand(command(new EjectCommand(invocation)))
                .addSubcommand(command(new CleanupCommand(invocation)))
                .addSubcommand(command(new VerifyEventsCommand(invocation)))
                .addSubcommand(store)
                .addSubcommand(git)
                .registerConverter(Path.class, Arguments::path)
                .registerConverter(Durability.class, Arguments.oneOf(Durability.class))
                .registerConverter(HeldKind.class, Arguments.oneOf(HeldKind.class))
                .setExecutionExceptionHandler(Commands::explain);
    }

    private static CommandLine command(Callable<Integer> code) {
        var command = new CommandLine(code);
        command.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Shows this text.")
                        .build());
        return command;
    }

    /// Lists the settings in a command's help.
    private static CommandLine withSettings(CommandLine command) {
        var lines = Stream.concat(
                        Stream.of("", "Settings, each with its default in parentheses:"),
                        ConfigReference.help().stream())
                .map(line -> line.replace("%", "%%"))
                .toArray(String[]::new);
        command.getCommandSpec().usageMessage().footer(lines);
        return command;
    }

    /// What is foreseen is told in a sentence; anything else is a fault of ours, whose place must be seen.
    private static int explain(Exception problem, CommandLine command, ParseResult arguments) throws Exception {
        switch (problem) {
            case StoreFailure _, StoreRefusal _, StoreDamage _, ToolFailure _ ->
                command.getErr().println("grapnel: " + problem.getMessage());
            default -> throw problem;
        }
        command.getErr().flush();
        return ExitCode.SOFTWARE;
    }
}
