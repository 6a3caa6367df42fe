package dev.grapnel.server.control;

import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;

/// Brings the repositories of a name in line with their events and serves what can be served, now.
@FunctionalInterface
public interface Releasing {
    /// Returns when that is done.
    ///
    /// @throws IOException if it could not be done; the server tries again by itself
    void release(Identifier identifier) throws IOException;
}
