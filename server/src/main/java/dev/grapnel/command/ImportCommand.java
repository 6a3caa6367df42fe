package dev.grapnel.command;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.Schnorr;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.lmdb.Durability;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.tool.EventImport;
import dev.grapnel.store.tool.ImportOptions;
import dev.grapnel.store.tool.ImportProgress;
import dev.grapnel.store.tool.ImportReport.Ending;
import dev.grapnel.store.tool.ImportReport.Position;
import dev.grapnel.store.tool.ImportSource;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.RefusedLine;
import dev.grapnel.store.tool.ToolFailure;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `grapnel import`.
@Command(
        name = "import",
        description = {
            "Reads events as JSON lines and stores them.",
            "Each is treated as if it had just arrived: form, id and signature are checked; what is replaced, deleted or"
                    + " expired is not taken.",
            "An import that was interrupted, even by a power failure, goes on where it was when it is repeated with the"
                    + " same input.",
            "The exit code is 1 if a line is not a signed event; all others are stored all the same. That an event is"
                    + " here already, is older than what is here or is of a kind that is not kept, is no failure."
        })
final class ImportCommand implements Callable<Integer> {
    private static final Path STANDARD_INPUT = Path.of("-");

    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Parameters(
            paramLabel = "<file>",
            arity = "0..*",
            description = "What to read, in this order; - or nothing is standard input.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--domain",
            paramLabel = "<host>",
            description = "Domain of this relay, by which requests to vanish may name it. Without it only those count"
                    + " that name all relays.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--durability",
            paramLabel = "<when>",
            defaultValue = "interval",
            description = "When events reach the device: sync (with each commit), interval (several times a second, the"
                    + " default), none (when the system sees fit).")
    private Durability durability = Durability.INTERVAL;

    @Option(
            names = "--threads",
            paramLabel = "<n>",
            description = "How many threads check signatures; as many as there are processors, if it is not given.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--from-start",
            description = "Does all of the input, even if an import of the same was interrupted.")
    private boolean isFromStart;

    @Option(
            names = "--refused",
            paramLabel = "<file>",
            description =
                    "Writes number, id and reason of every refused line to a file, as JSON lines. An import that goes"
                            + " on adds to it.")
    private Optional<Path> refused = Optional.empty();

    ImportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "--threads must be at least 1");
        }
        var rules = StoreRules.DEFAULTS.withServices(services());
        Schnorr.findProblem().ifPresent(problem -> {
            throw new ToolFailure(problem);
        });
        if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw new ParameterException(spec.commandLine(), "standard input can be read only once");
        }
        var sources = sources();
        var config = LmdbConfig.DEFAULTS.withDurability(durability);
        var err = spec.commandLine().getErr();
        var clock = InstantSource.system();
        try (var stop = new StopSignal();
                var kept = RefusedFile.open(refused, inputs());
                var opened = OpenStore.forWriting(
                        store.directory(invocation.environment()), config, rules, clock, new Problems(err))) {
            var progress = new ProgressLine(err, invocation.isErrTerminal(), System::nanoTime);
            var options = new ImportOptions(threads, isFromStart);
            var report = new EventImport(opened.store(), clock, options, listener(progress, kept))
                    .run(sources, stop::isGiven);
            progress.clear();
            new ImportSummary(report, progress.elapsed()).print(err);
            boolean isFailure = report.faults() > 0 || report.ending() instanceof Ending.Failed;
            return isFailure ? ExitCode.SOFTWARE : ExitCode.OK;
        }
    }

    private EventImport.Listener listener(ProgressLine progress, RefusedFile kept) {
        return new EventImport.Listener() {
            @Override
            public void progress(ImportProgress far) {
                progress.show(far);
            }

            @Override
            public void resumed(Position position) {
                kept.goOn();
                spec.commandLine()
                        .getErr()
                        .println("grapnel: goes on after line " + position.line() + " of " + position.source()
                                + ", where an earlier import of this input ended");
            }

            @Override
            public void refused(RefusedLine line) {
                kept.write(line);
            }
        };
    }

    private List<ServiceAddress> services() {
        return domain.map(name -> switch (ServiceAddress.parse(name, "/")) {
                    case Parsed.Valid<ServiceAddress>(var address) -> List.of(address);
                    case Parsed.Invalid<ServiceAddress>(var reason) ->
                        throw new ParameterException(
                                spec.commandLine(), "the domain " + name + " cannot be one: " + reason);
                })
                .orElse(List.of());
    }

    private List<Path> inputs() {
        return files.stream().filter(file -> !file.equals(STANDARD_INPUT)).toList();
    }

    private List<ImportSource> sources() {
        return (files.isEmpty() ? List.of(STANDARD_INPUT) : files)
                .stream()
                        .map(file -> file.equals(STANDARD_INPUT)
                                ? ImportSource.of("standard input", invocation.in())
                                : ImportSource.of(file))
                        .toList();
    }
}
