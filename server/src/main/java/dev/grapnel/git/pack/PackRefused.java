package dev.grapnel.git.pack;

/// Ends an intake from wherever the flaw was found; outside this package it is an [Intake.Refused].
final class PackRefused extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;
    private final Intake.Flaw flaw;

    /// It breaks a limit, or does harm.
    PackRefused(String reason) {
        this(reason, Intake.Flaw.HARMFUL);
    }

    private PackRefused(String reason, Intake.Flaw flaw) {
        super(reason, null, false, false);
        this.reason = reason;
        this.flaw = flaw;
    }

    /// It is not a whole pack.
    static PackRefused broken(String reason) {
        return new PackRefused(reason, Intake.Flaw.BROKEN);
    }

    String reason() {
        return reason;
    }

    Intake.Flaw flaw() {
        return flaw;
    }
}
