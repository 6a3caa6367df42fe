package dev.grapnel.bench.push;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.git.Push;
import java.io.IOException;
import java.nio.file.Path;

/// What maintainers do at a GRASP server: publish, push, see both served.
final class GraspSide implements AutoCloseable {
    private final Host host;
    private final RelayTalk talk;

    /// @param host a GRASP server; its owner closes it
    GraspSide(Host host) throws IOException, InterruptedException {
        this.host = host;
        this.talk = new RelayTalk(host.uri(""));
    }

    /// Announces a repository, signs its branch `main` and pushes that. Returns when all owners' repositories have it.
    ///
    /// @param source has the branch
    void found(SignedRepository repository, Path source) throws IOException, InterruptedException {
        for (var announcement : repository.announcements()) {
            talk.publish(announcement).awaitHeld();
        }
        var state = talk.publish(repository.state());
        state.awaitHeld();
        GitProgram.run(source, "push", "--quiet", host.url(repository.path()), SignedRepository.MAIN);
        state.awaitDelivered();
        var tip = GitProgram.run(source, "rev-parse", SignedRepository.MAIN);
        TimedPush.requireVisible(host, repository.paths(), SignedRepository.MAIN, tip);
    }

    /// Publishes the state that allows a push, pushes, and waits until both are served.
    ///
    /// @throws IOException if anything is not as it should be
    Served push(SignedRepository repository, Push push, TimedPush.Way way) throws IOException, InterruptedException {
        var state = talk.publish(repository.stateFor(push));
        long publishing = state.awaitHeld() - state.begun();
        var pushed = way.push(host, repository.path(), push);
        long delivered = state.awaitDelivered();
        if (delivered - pushed.begun() < 0) {
            throw new IOException("a state was served before its push: there is nothing to measure");
        }
        if (repository.paths().size() > 1) {
            TimedPush.requireVisible(host, repository.paths(), push.ref(), push.after());
        }
        return new Served(publishing, pushed, delivered);
    }

    @Override
    public void close() {
        talk.close();
    }
}
