package dev.grapnel.store.table;

/// The world failed: disk full, device error, directory not usable. The message is a phrase for the operator:
/// what, why, what to do.
public class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreFailure(String message) {
        super(message);
    }

    public StoreFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /// Whether the same changes may succeed at once in a new transaction.
    public boolean mayRepeat() {
        return false;
    }
}
