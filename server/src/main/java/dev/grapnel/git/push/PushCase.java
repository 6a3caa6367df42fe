package dev.grapnel.git.push;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// One push before those who decide about it, from its commands to its end. Used by one thread.
public interface PushCase extends AutoCloseable {
    /// Before the pack is read. Whoever is refused here costs nothing more.
    PushVerdict judge() throws IOException;

    /// Why it would be refused now, whatever is wrong with its pack: what it rested on may be gone since.
    default Optional<PushVerdict> findObstacle() throws IOException {
        return Optional.empty();
    }

    /// Lets the pack pass by, for those who count bytes.
    ///
    /// @return what is read instead; ends with [TooMuch] when there is too much of it
    default InputStream watching(InputStream pack) {
        return pack;
    }

    /// Once more when the objects are here and checked, under the policy's own locks, because everything
    /// may have changed meanwhile. What is allowed is done before this returns: objects moved in, refs
    /// durable.
    PushVerdict settle(ReceivedPush received) throws IOException;

    /// The push has ended, however it did.
    @Override
    default void close() {}

    /// A pack is larger than it may be.
    final class TooMuch extends IOException {
        private static final long serialVersionUID = 1L;

        /// @param reason for the client
        public TooMuch(String reason) {
            super(reason);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
