package dev.grapnel.command;

import dev.grapnel.store.tool.ToolFailure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Where the results of commands go. What could not be written there is a failure, unless it is a pipe: then
/// whoever read it has seen enough.
final class StandardOutput {
    private final Invocation invocation;

    StandardOutput(Invocation invocation) {
        this.invocation = invocation;
    }

    /// Something to write.
    interface Result {
        void writeTo(OutputStream out) throws IOException;
    }

    /// @return false if nobody reads any more
    /// @throws ToolFailure if it cannot be written
    boolean write(Result result) {
        try {
            var out = new BufferedOutputStream(invocation.out(), 1 << 16);
            result.writeTo(out);
            out.flush();
            return true;
        } catch (IOException e) {
            if (!invocation.isOutPipe()) {
                throw new ToolFailure("could not write to standard output: " + e.getMessage(), e);
            }
            return false;
        }
    }

    /// Writes lines of text.
    ///
    /// @throws ToolFailure if they cannot be written
    void print(String lines) {
        write(out -> out.write((lines + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
