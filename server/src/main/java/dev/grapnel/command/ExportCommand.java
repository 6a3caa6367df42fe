package dev.grapnel.command;

import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.filter.FilterReader;
import dev.grapnel.nostr.filter.ParsedFilter;
import dev.grapnel.store.tool.EventExport;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.PartFile;
import dev.grapnel.store.tool.PartFile.Present;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
import picocli.CommandLine.Spec;

/// `grapnel export`.
@Command(
        name = "export",
        description = {
            "Writes the events of the store as JSON lines.",
            "Without a filter: everything that is served, in the order in which it came. With filters: what matches any"
                    + " of them, newest first.",
            "What is damaged is left out and told on standard error; then the exit code is 1."
        })
final class ExportCommand implements Callable<Integer> {
    /// Often a link to a file, which must be written to and not be replaced.
    private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");

    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = "--filter",
            paramLabel = "<json>",
            description = "A filter as in NIP-01, such as '{\"kinds\":[30617]}'. May be given several times.")
    private List<String> filters = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "<file>",
            description = "Writes to a file instead of standard output. It has its name once it is whole; before, it is"
                    + " called <file>.<n>.part. A device or a pipe is written to as it is.")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--force", description = "Replaces the file if there is one.")
    private boolean force;

    ExportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var wanted = filters.stream().map(this::parse).toList();
        var damages = new Problems(spec.commandLine().getErr());
        var clock = InstantSource.system();
        try (var stop = new StopSignal();
                var opened = OpenStore.forReading(store.directory(invocation.environment()), clock, damages)) {
            var export = new EventExport(opened, clock, damages, stop::isGiven);
            var file = output.filter(path -> !path.equals(STANDARD_OUTPUT));
            if (file.isPresent()) {
                writeFile(file.get(), export, wanted, stop);
            } else if (!new StandardOutput(invocation).write(out -> write(export, wanted, out))) {
                return ExitCode.OK; // whoever reads the pipe has seen enough
            }
            damages.finish();
            spec.commandLine().getErr().println("grapnel: " + sum(export, stop));
        }
        return damages.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String sum(EventExport export, StopSignal stop) {
        return (stop.isGiven() ? "stopped after exporting " : "exported ") + Figures.count(export.events(), "event");
    }

    private Filter parse(String json) {
        return switch (FilterReader.read(
                json.getBytes(StandardCharsets.UTF_8), FilterLimits.DEFAULTS, EventLimits.DEFAULTS.depthMax())) {
            case ParsedFilter.Valid(var filter) -> filter;
            case ParsedFilter.Refused(var refusal) ->
                throw new ParameterException(spec.commandLine(), "the filter " + json + " is " + refusal);
            case ParsedFilter.Unreadable(var reason) ->
                throw new ParameterException(spec.commandLine(), "the filter " + json + " is not JSON: " + reason);
        };
    }

    private void writeFile(Path file, EventExport export, List<Filter> wanted, StopSignal stop) {
        try (var part = PartFile.create(file, force ? Present.REPLACED : Present.REFUSED)) {
            write(export, wanted, part.out());
            if (!stop.isGiven()) {
                part.finish();
            }
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }

    private static void write(EventExport export, List<Filter> wanted, OutputStream out) throws IOException {
        if (wanted.isEmpty()) {
            export.writeAll(out);
        } else {
            export.write(wanted, out);
        }
    }
}
