package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import java.io.IOException;

/// Where a command's answer goes.
public interface ControlOutput {
    /// Sends one line of the answer.
    ///
    /// @param json one object
    /// @throws IOException if nobody reads any more
    void line(JsonWriter json) throws IOException;

    /// Sends how far it is, which is not part of the answer.
    ///
    /// @param json one object
    /// @throws IOException if nobody reads any more
    void progress(JsonWriter json) throws IOException;

    /// Goes on only while the answer is wanted.
    ///
    /// @throws IOException if the server stops
    void requireWanted() throws IOException;
}
