package dev.grapnel.server.control;

import java.io.IOException;

/// One thing the operator can ask a running server.
public interface ControlCommand {
    /// What it is asked for by; one of a kind.
    String name();

    /// Answers a request, on a thread of its own. What it writes reaches the operator at once; a command that
    /// works for long without a word asks [ControlOutput#requireWanted] now and then.
    ///
    /// @throws ControlRefusal if the request makes no sense or cannot be met
    /// @throws IOException if the operator has gone, or the server stops, passed on from the output; or if
    ///     something of ours failed, of which the operator is told
    void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException;
}
