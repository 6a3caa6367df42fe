package dev.grapnel.sync.index;

/// How much of a repository is wanted (R1.6).
public enum Level {
    /// Nothing; not followed.
    NONE(0),
    /// Its announcement waits in purgatory: only states.
    STATE_ONLY(1),
    /// Its announcement is served: everything.
    FULL(2);

    private final byte code;

    Level(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Level of(byte code) {
        return switch (code) {
            case 0 -> NONE;
            case 1 -> STATE_ONLY;
            default -> FULL;
        };
    }
}
