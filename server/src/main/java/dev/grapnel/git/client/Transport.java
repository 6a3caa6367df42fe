package dev.grapnel.git.client;

import dev.grapnel.nostr.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/// Requests to the repository of one address, and nothing else: where that is, and whether it may be asked
/// at all, is for whoever makes this.
///
/// A redirect of the first request is followed in here and holds for those after it. Whoever asks for
/// compressed answers decompresses them in here, and then `Content-Encoding` is not shown.
public interface Transport extends AutoCloseable {
    /// Asks for something below the repository.
    ///
    /// @param path what stands behind the address and a slash, with its query
    Answer get(String path, Map<String, String> headers) throws IOException;

    /// Sends something below the repository.
    ///
    /// @param path what stands behind the address and a slash
    /// @param awaited what is to come, which says how long it may take to begin (purgatory P-665)
    Answer post(String path, Map<String, String> headers, Bytes body, Awaited awaited) throws IOException;

    /// What a server is asked for.
    enum Awaited {
        /// What it has: said at once.
        REFS,
        /// Objects: servers are silent while they pack.
        PACK
    }

    /// Ends all that is under way, by any thread: whoever reads fails at once.
    @Override
    void close();

    /// What the other side says. Used by one thread, who closes it.
    interface Answer extends AutoCloseable {
        /// Such as 200.
        int status();

        /// The first header of a name, in whatever case it is written.
        Optional<String> findHeader(String name);

        /// As it comes; without the marks of chunks.
        InputStream body() throws IOException;

        /// The rest is not wanted.
        @Override
        void close();
    }
}
