package dev.grapnel.command;

import dev.grapnel.client.LocalPublishing;
import dev.grapnel.client.LocalRepository;
import dev.grapnel.client.RepositoryPublishing.Removal;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `grapnel repo state`.
@Command(
        name = "state",
        description = {
            "Declares the branches and tags that are here now, so that they can be pushed.",
            "Signs a state and publishes it where the git remote leads."
        })
final class RepoStateCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Mixin
    private PublisherOption publisher = new PublisherOption();

    @Option(names = "--prune", description = "Removes for everybody the branches and tags that are not here.")
    private boolean prune;

    RepoStateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var local = new LocalPublishing(
                LocalRepository.around(publisher.directory()),
                publisher.key(),
                new SecureRandom(),
                InstantSource.system());
        var report =
                local.declare(publisher.remote(), prune ? Removal.ALLOWED : Removal.REFUSED, PublisherOption.PATIENCE);
        new StandardOutput(invocation).print(String.join("\n", PublishedText.of(report)));
        return ExitCode.OK;
    }
}
