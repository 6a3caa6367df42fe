package dev.grapnel.server;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.web.GitDoor;
import dev.grapnel.server.web.RepositoryPortrait;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// The door of a git host that is made after the port was opened; nobody is led here before.
///
/// @param portraits what everybody may know of repositories
record LateGitDoor(CompletableFuture<GitHost> host, Portraits portraits) implements GitDoor {
    @Override
    public void serve(
            RepositoryAddress repository, List<String> subpath, Request request, Response response, Callback callback) {
        host.join().endpoints().serve(repository, subpath, request, response, callback);
    }

    @Override
    public boolean isHosted(RepositoryAddress repository) {
        return host.join().endpoints().isHosted(repository);
    }

    @Override
    public RepositoryPortrait portrait(RepositoryAddress repository) throws IOException {
        return portraits.of(repository);
    }

    /// Makes them.
    interface Portraits {
        RepositoryPortrait of(RepositoryAddress repository) throws IOException;
    }
}
