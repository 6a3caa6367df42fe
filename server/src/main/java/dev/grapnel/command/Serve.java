package dev.grapnel.command;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.log.Logging;
import dev.grapnel.nostr.key.Schnorr;
import dev.grapnel.server.GitRules;
import dev.grapnel.server.Service;
import dev.grapnel.server.ServiceFailure;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.UncaughtErrors;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.tool.ToolFailure;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/// Runs a server, from its flags to its end.
///
/// Knows nothing of picocli, which takes longer to load than all the rest: who starts a server shall not
/// wait for it.
public final class Serve {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int NOT_UNDERSTOOD = 2;

    private final Invocation invocation;
    private final Build build;
    private final GitRules rules;
    private final Path directory;
    private final OutputStream log;
    private final PrintWriter err;

    /// What happens between the start of a server and its end.
    @FunctionalInterface
    interface Life {
        /// Returns when the server is to end.
        ///
        /// @param stop opened by a signal
        void live(Service service, CountDownLatch stop) throws InterruptedException;
    }

    /// @param directory where the operator's key is kept
    /// @param err where the operator is told what is wrong
    Serve(Invocation invocation, Build build, GitRules rules, Path directory, OutputStream log, PrintWriter err) {
        this.invocation = invocation;
        this.build = build;
        this.rules = rules;
        this.directory = directory;
        this.log = log;
        this.err = err;
    }

    /// Runs a server until a signal ends it, and gives the exit code.
    public static int run(Invocation invocation, Build build, List<String> flags) {
        return run(invocation, build, GitRules.GRASP, flags);
    }

    /// The same with other rules for its repositories.
    public static int run(Invocation invocation, Build build, GitRules rules, List<String> flags) {
        var stream = new FileOutputStream(FileDescriptor.err);
        var err = new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
        return new Serve(invocation, build, rules, Path.of(""), stream, err).run(flags, (_, stop) -> stop.await());
    }

    int run(List<String> flags, Life life) {
        try {
            return start(flags, life);
        } catch (ToolFailure failure) {
            return fail(String.valueOf(failure.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return fail("interrupted");
        }
    }

    private int start(List<String> flags, Life life) throws InterruptedException {
        var problem = Schnorr.findProblem();
        if (problem.isPresent()) {
            return fail(problem.get());
        }
        return switch (ConfigLoader.loadStart(flags, invocation.environment(), directory, new SecureRandom())) {
            case ConfigLoader.Start.Refused(var problems) -> {
                problems.forEach(this::tell);
                yield NOT_UNDERSTOOD;
            }
            case ConfigLoader.Start.Ready(var configuration, var owner) -> serve(configuration, owner, life);
        };
    }

    private int serve(Configuration configuration, OwnerKey.Found owner, Life life) throws InterruptedException {
        var bind = configuration.require(ServiceSettings.BIND_ADDRESS).address();
        if (rules.equals(GitRules.OPEN) && !bind.isLoopbackAddress()) {
            return fail("a host to which everybody may push listens on a loopback address only");
        }
        var logging = Logging.start(configuration.require(ServiceSettings.LOG_LEVEL), log);
        var logger = LoggerFactory.getLogger(Serve.class);
        configuration.warnings().forEach(warning -> logger.warn("setting: {}", warning));
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Signals.stopWith(() -> end(stop, stopped));
        Signals.changeLevelWith(logging::step);
        boolean isFirst = !LmdbEngine.exists(configuration.require(ServiceSettings.RELAY_DATA_PATH));
        try (var service = Service.start(configuration, owner.key(), build, rules)) {
            Thread.setDefaultUncaughtExceptionHandler(new UncaughtErrors(service.metrics()));
            report(configuration, owner, service, isFirst);
            life.live(service, stop);
        } catch (ServiceFailure failure) {
            return fail(String.valueOf(failure.getMessage()));
        } finally {
            stopped.countDown();
        }
        return DONE;
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

    private int fail(String sentence) {
        tell(sentence);
        return FAILED;
    }

    private void tell(String sentence) {
        err.println("grapnel: " + sentence);
    }
}
