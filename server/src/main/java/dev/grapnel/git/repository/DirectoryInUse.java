package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Path;

/// Somebody else changes the repositories.
public final class DirectoryInUse extends IOException {
    private static final long serialVersionUID = 1;

    private final String holder;

    DirectoryInUse(Path gitData, String holder) {
        super("the git data in " + gitData + " is in use by " + holder + "; stop that first");
        this.holder = holder;
    }

    /// Who that is.
    public String holder() {
        return holder;
    }
}
