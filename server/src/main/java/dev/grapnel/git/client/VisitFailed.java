package dev.grapnel.git.client;

import java.io.IOException;

/// A visit came to nothing, and nothing is left of what was being received. Any other [IOException] is a
/// failure of our own: the disk, or an interruption.
public final class VisitFailed extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    VisitFailed(Fault fault) {
        super(describe(fault), fault instanceof Fault.Disconnected(var cause) ? cause : null);
        this.fault = fault;
    }

    /// What a stranger wrote is in no message: messages are logged.
    private static String describe(Fault fault) {
        return switch (fault) {
            case Fault.Status(var status, var _) -> "the server answered with status " + status;
            case Fault.Unsuitable(var reason) -> "the server cannot be fetched from: " + reason;
            case Fault.Malformed(var reason) -> "the server broke the protocol: " + reason;
            case Fault.Hostile(var reason) -> "the server sent what is not taken: " + reason;
            case Fault.Complaint _ -> "the server said that it failed";
            case Fault.Disconnected(var cause) ->
                "the connection failed: " + cause.getClass().getSimpleName();
            case Fault.Full(var where) ->
                where.isPresent()
                        ? "no room left for what is hunted: " + where.get()
                        : "the disk is nearly full, so nothing is fetched";
        };
    }

    /// Why.
    public Fault fault() {
        return fault;
    }
}
