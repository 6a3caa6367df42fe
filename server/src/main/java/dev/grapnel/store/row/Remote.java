package dev.grapnel.store.row;

import java.util.Locale;

/// Another machine, as far as its faults reach: a name is that of a host, a certificate that of a port of it, the rest
/// are those of an address (sync R6.10, P-675).
///
/// @param text the normalised URL, or the host in the form of P-624, with its port where the certificate is meant
public record Remote(Type type, String text) {
    /// What the text is.
    public enum Type implements Coded {
        /// The URL of a relay.
        RELAY(1),
        /// A host, or a port of it, for relays and git alike.
        HOST(2),
        /// The URL of a repository.
        GIT(3);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }

        /// How keys begin; written to disk.
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// @throws IllegalArgumentException if the text is empty or none
    public Remote {
        Checks.text("a remote", text);
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a remote has a name");
        }
    }
}
