package dev.grapnel.git.repository;

import java.io.IOException;

/// What is fetched would take more room than it may. That is nobody's fault: others may have filled it.
public final class NoRoom extends IOException {
    private static final long serialVersionUID = 1L;

    private final Where where;

    NoRoom(Where where, long limit) {
        super(where.words + " would exceed " + limit + " bytes");
        this.where = where;
    }

    /// What is full.
    public enum Where {
        /// That of the identifier.
        AREA("the hunting area"),
        /// All areas together.
        TOTAL("all hunting areas together");

        private final String words;

        Where(String words) {
            this.words = words;
        }
    }

    /// What is full.
    public Where where() {
        return where;
    }
}
