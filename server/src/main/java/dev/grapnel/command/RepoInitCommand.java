package dev.grapnel.command;

import dev.grapnel.client.LocalPublishing;
import dev.grapnel.client.LocalRepository;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel repo init`.
@Command(
        name = "init",
        description = {
            "Announces the repository you are in on a server and declares its branches and tags.",
            "Signs both events, publishes them, adds a git remote and says what to push. Done again it changes nothing"
                    + " that is announced already."
        })
final class RepoInitCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private PublisherOption publisher = new PublisherOption();

    @Option(
            names = "--server",
            paramLabel = "<url>",
            required = true,
            description = "The server's address, such as wss://git.example.com or ws://127.0.0.1:7334.")
    private String server = "";

    @Option(
            names = "--also",
            paramLabel = "<url>",
            description = "A further server that shall have it, as often as wanted. It is named in the announcement,"
                    + " told of both events, and fetches by itself what is pushed to the first.")
    private List<String> also = List.of();

    @Option(
            names = "--identifier",
            paramLabel = "<d>",
            description = "What the repository is called; the name of its directory if not given.")
    private Optional<String> identifier = Optional.empty();

    @Option(names = "--description", paramLabel = "<text>", description = "A sentence about it.")
    private Optional<String> description = Optional.empty();

    RepoInitCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var local = new LocalPublishing(
                LocalRepository.around(publisher.directory()),
                publisher.key(),
                new SecureRandom(),
                InstantSource.system());
        var report = local.init(server, also, identifier, description, publisher.remote(), PublisherOption.PATIENCE);
        new StandardOutput(invocation).print(String.join("\n", PublishedText.of(report)));
        return ExitCode.OK;
    }
}
