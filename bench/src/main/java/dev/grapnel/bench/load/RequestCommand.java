package dev.grapnel.bench.load;

import dev.grapnel.bench.store.QueryShape;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `req`.
@Command(
        name = "req",
        mixinStandardHelpOptions = true,
        description = "Asks what git clients ask, with values of the events in the file: REQ, EOSE, CLOSE.")
final class RequestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunOptions run = new RunOptions();

    @Option(names = "--events", required = true, paramLabel = "FILE", description = "What the relay holds.")
    private Path events = Path.of("");

    @Option(
            names = "--shape",
            paramLabel = "NAME",
            description = "Only this question, for example one-id; several may be given. A wrong name shows all.")
    private List<String> shapes = new ArrayList<>();

    @Option(names = "--connections", defaultValue = "4", description = "Connections (default: 4).")
    private int connections = 4;

    @Option(names = "--window", defaultValue = "1", description = "Requests of each at once (default: 1).")
    private int window = 1;

    @Option(names = "--seconds", defaultValue = "5", description = "How long each question is asked (default: 5).")
    private int seconds = 5;

    @Option(names = "--warmup", defaultValue = "1", description = "Seconds before that (default: 1).")
    private int warmup = 1;

    @Option(
            names = "--beside-store",
            paramLabel = "DIR",
            description =
                    "Asks the same in turn without a relay, of the event store that ingest --beside-store filled.")
    private Optional<Path> directory = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var contest = run.contest(System.out);
        var wanted = shapes.isEmpty()
                ? List.of(QueryShape.values())
                : shapes.stream().map(this::shape).toList();
        var questions = new Questions(EventFile.open(events));
        try (var driver = run.driver();
                var beside = BesideStore.open(directory)) {
            for (var shape : wanted) {
                var filters = questions.filters(shape);
                contest.run(
                        requests(driver, shape, questions.of(shape)),
                        beside.entrants(store -> new StoreRequests(
                                store,
                                filters,
                                connections * window,
                                Duration.ofSeconds(warmup),
                                Duration.ofSeconds(seconds))));
            }
        }
        return LoadTool.codeOf(contest);
    }

    private Requests requests(Driver driver, QueryShape shape, List<byte[]> filters) {
        return new Requests(
                driver,
                shape.title(),
                filters,
                connections,
                window,
                Duration.ofSeconds(warmup),
                Duration.ofSeconds(seconds),
                run.isCompressed());
    }

    private QueryShape shape(String name) {
        return Questions.find(name)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), name + " is none of " + String.join(", ", Questions.names())));
    }
}
