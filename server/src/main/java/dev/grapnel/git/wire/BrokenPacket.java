package dev.grapnel.git.wire;

import java.io.IOException;
import java.io.Serial;

/// The other side sent something that is no pkt-line, or not the one that must stand here.
public final class BrokenPacket extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /// @param message one line for whoever sent it
    public BrokenPacket(String message) {
        super(message);
    }
}
