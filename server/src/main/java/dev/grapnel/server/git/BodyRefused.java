package dev.grapnel.server.git;

import java.io.IOException;
import java.io.Serial;

/// A body that is not read any further.
final class BodyRefused extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status what HTTP answers if nothing was answered yet
    /// @param message one line for whoever sent it
    BodyRefused(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
