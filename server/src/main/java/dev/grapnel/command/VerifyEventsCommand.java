package dev.grapnel.command;

import dev.grapnel.server.control.ControlClient;
import dev.grapnel.server.control.ControlRequest;
import dev.grapnel.server.control.JsonValue;
import dev.grapnel.server.control.JsonValue.Fields;
import dev.grapnel.server.control.VerifyAnswer;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.tool.EventFault;
import dev.grapnel.store.tool.EventRemoval;
import dev.grapnel.store.tool.EventVerification;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.ToolFailure;
import dev.grapnel.store.tool.VerificationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `grapnel verify-events`.
@Command(
        name = "verify-events",
        aliases = "event-integrity-check",
        description = {
            "Computes id and signature of every stored event again.",
            "Also while a server runs, which then does it itself. Each event that is not what its author signed is one"
                    + " JSON object on standard output, and the exit code is 1 if there is any."
        })
final class VerifyEventsCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--execute", description = "Removes what fails.")
    private boolean execute;

    VerifyEventsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var directory = store.directory(invocation.environment());
        var line = new EventLine(spec.commandLine().getErr(), invocation.isErrTerminal(), System::nanoTime);
        var problems = new Problems(spec.commandLine().getErr());
        var server = ControlClient.connect(directory);
        var report = server.isPresent() ? ask(server.get(), line) : verify(directory, line, problems);
        line.clear();
        problems.finish();
        spec.commandLine().getErr().println("grapnel: " + summary(report));
        spec.commandLine().getErr().flush();
        return report.faults() == 0 && problems.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private VerificationReport ask(ControlClient client, EventLine line) {
        var report = new AtomicReference<VerificationReport>();
        try (client) {
            client.ask(
                    new ControlRequest(VerifyAnswer.NAME, Map.of("execute", new JsonValue.Truth(execute))),
                    new ControlClient.Receiver() {
                        @Override
                        public void line(Fields found) {
                            if (found.findText("id").isPresent()) {
                                line.clear();
                                print(found.json());
                            } else {
                                report.set(report(found));
                            }
                        }

                        @Override
                        public void progress(Fields progress) {
                            line.show(number(progress, "events"), number(progress, "total"));
                        }
                    });
        }
        return Optional.ofNullable(report.get())
                .orElseThrow(() -> new ToolFailure("the server did not say what it found"));
    }

    private VerificationReport verify(Path directory, EventLine line, Problems problems) {
        OpenStore.requireStore(directory);
        var clock = InstantSource.system();
        try (var opened = execute
                ? OpenStore.forWriting(directory, LmdbConfig.DEFAULTS, StoreRules.DEFAULTS, clock, problems)
                : OpenStore.forReading(directory, clock, problems)) {
            var removal = execute
                    ? Optional.<EventRemoval>of(new EventRemoval.FromStore(opened.store()))
                    : Optional.<EventRemoval>empty();
            var watcher = new EventVerification.Watcher() {
                @Override
                public void fault(EventFault fault) {
                    line.clear();
                    print(fault.json().toString());
                }

                @Override
                public void progress(long events, long total) {
                    line.show(events, total);
                }
            };
            int threads = Runtime.getRuntime().availableProcessors();
            return new EventVerification(opened.store(), removal, watcher, threads).run();
        } catch (IOException e) {
            throw new ToolFailure("the events could not be verified: " + e.getMessage(), e);
        }
    }

    private void print(String json) {
        new StandardOutput(invocation).print(json);
    }

    private static VerificationReport report(Fields found) {
        return new VerificationReport(
                number(found, "served"),
                number(found, "held"),
                number(found, "gates"),
                number(found, "faults"),
                number(found, "removed"));
    }

    private static long number(Fields fields, String name) {
        return fields.findNumber(name).orElse(0);
    }

    private String summary(VerificationReport report) {
        return "verified " + Figures.count(report.served(), "served event") + ", " + Figures.number(report.held())
                + " held and " + Figures.count(report.gates(), "gate") + ": "
                + (report.faults() == 0 ? "no faults" : faults(report));
    }

    private String faults(VerificationReport report) {
        return Figures.count(report.faults(), "fault") + ", "
                + (execute ? Figures.number(report.removed()) + " removed" : "--execute removes them");
    }
}
