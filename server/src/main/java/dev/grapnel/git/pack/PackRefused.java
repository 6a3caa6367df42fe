package dev.grapnel.git.pack;

/// Ends an intake from wherever the flaw was found; outside this package it is an [Intake.Refused].
final class PackRefused extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    PackRefused(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
