package dev.grapnel.server.web;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Where requests of git clients go.
public interface GitDoor {
    /// Answers the request. The headers that every answer carries are in the response already.
    ///
    /// @param subpath decoded segments behind the repository; at least one
    void serve(
            RepositoryAddress repository, List<String> subpath, Request request, Response response, Callback callback);

    /// Whether there is such a repository.
    boolean isHosted(RepositoryAddress repository);

    /// What everybody may know of one that is.
    default RepositoryPortrait portrait(RepositoryAddress repository) throws IOException {
        return RepositoryPortrait.BLANK;
    }
}
