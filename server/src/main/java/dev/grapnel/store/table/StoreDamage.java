package dev.grapnel.store.table;

/// Stored bytes are not what was written. The message says where.
public class StoreDamage extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreDamage(String message) {
        super(message);
    }

    public StoreDamage(String message, Throwable cause) {
        super(message, cause);
    }
}
