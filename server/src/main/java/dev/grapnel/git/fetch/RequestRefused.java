package dev.grapnel.git.fetch;

import java.io.Serial;

/// A request that can be read but not be fulfilled. The message is for whoever sent it.
public final class RequestRefused extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    RequestRefused(String message) {
        super(message);
    }
}
