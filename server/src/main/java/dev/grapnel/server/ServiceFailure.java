package dev.grapnel.server;

/// The service could not be started; the message says why, for the operator.
public final class ServiceFailure extends Exception {
    private static final long serialVersionUID = 1;

    ServiceFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
