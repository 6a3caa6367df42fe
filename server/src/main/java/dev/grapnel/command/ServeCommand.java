package dev.grapnel.command;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.log.Logging;
import dev.grapnel.nostr.key.Schnorr;
import dev.grapnel.server.Service;
import dev.grapnel.server.ServiceFailure;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.UncaughtErrors;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// `grapnel serve`.
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

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Unmatched
    private List<String> flags = new ArrayList<>();

    ServeCommand(Invocation invocation, Build build) {
        this.invocation = invocation;
        this.build = build;
    }

    @Override
    public Integer call() throws InterruptedException {
        var problem = Schnorr.findProblem();
        if (problem.isPresent()) {
            tell(problem.get());
            return ExitCode.SOFTWARE;
        }
        return switch (ConfigLoader.loadStart(flags, invocation.environment(), Path.of(""), new SecureRandom())) {
            case ConfigLoader.Start.Refused(var problems) -> {
                problems.forEach(this::tell);
                yield ExitCode.USAGE;
            }
            case ConfigLoader.Start.Ready(var configuration, var owner) -> serve(configuration, owner);
        };
    }

    private int serve(Configuration configuration, OwnerKey.Found owner) throws InterruptedException {
        var logging = Logging.start(
                configuration.require(ServiceSettings.LOG_LEVEL), new FileOutputStream(FileDescriptor.err));
        var log = LoggerFactory.getLogger(ServeCommand.class);
        configuration.warnings().forEach(warning -> log.warn("setting: {}", warning));
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Signals.stopWith(() -> end(stop, stopped));
        Signals.changeLevelWith(logging::step);
        boolean isFirst = !LmdbEngine.exists(configuration.require(ServiceSettings.RELAY_DATA_PATH));
        try (var service = Service.start(configuration, owner.key().publicKey(), build)) {
            Thread.setDefaultUncaughtExceptionHandler(new UncaughtErrors(service.metrics()));
            report(configuration, owner, service, isFirst);
            stop.await();
        } catch (ServiceFailure failure) {
            tell(String.valueOf(failure.getMessage()));
            return ExitCode.SOFTWARE;
        } finally {
            stopped.countDown();
        }
        return ExitCode.OK;
    }

    /// Runs on the thread of a signal, which must not end before the server has.
    private static void end(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then this thread does not wait for the others
        }
    }

    private void report(Configuration configuration, OwnerKey.Found owner, Service service, boolean isFirst) {
        var report = new StartReport(
                build.text(),
                service.bound(),
                service.domain(),
                configuration.require(ServiceSettings.DATABASE_BACKEND),
                configuration.require(ServiceSettings.RELAY_DATA_PATH),
                owner,
                isFirst);
        new StandardOutput(invocation).print(String.join("\n", report.lines()));
    }

    private void tell(String sentence) {
        spec.commandLine().getErr().println("grapnel: " + sentence);
    }
}
