package dev.grapnel.store.tool;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A command cannot go on. The message is a phrase for the operator: what, why.
public final class ToolFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ToolFailure(String message) {
        super(message);
    }

    public ToolFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /// A file could not be used.
    ///
    /// @param what that was tried, as in "could not ..."
    public static ToolFailure of(String what, Path file, IOException cause) {
        return new ToolFailure("could not " + what + " " + file + ": " + reason(cause), cause);
    }

    private static String reason(IOException cause) {
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file or directory";
            case AccessDeniedException _ -> "this user may not do that there";
            case FileSystemException failure when failure.getReason() != null -> failure.getReason();
            default -> String.valueOf(cause.getMessage());
        };
    }
}
