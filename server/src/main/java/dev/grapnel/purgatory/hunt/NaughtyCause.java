package dev.grapnel.purgatory.hunt;

/// Why somebody is on the [NaughtyList].
public enum NaughtyCause {
    /// The name does not exist.
    DNS("dns"),
    /// The certificate is invalid or expired.
    TLS("tls"),
    /// What was sent broke a limit or was not what was asked for.
    HOSTILE("hostile");

    private final String label;

    NaughtyCause(String label) {
        this.label = label;
    }

    /// As metrics call it.
    public String label() {
        return label;
    }
}
