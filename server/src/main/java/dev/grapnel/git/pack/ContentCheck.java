package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A check of one object's content, which comes in pieces.
///
/// The id is known only when all has passed, so a flaw is kept until then.
abstract sealed class ContentCheck permits TreeCheck, HeaderCheck {
    private @Nullable String flaw;

    void begin(ObjectType type, int object) {
        flaw = null;
        start(type, object);
    }

    /// The first flaw found.
    final @Nullable String flaw() {
        return flaw;
    }

    final void flaw(String found) {
        if (flaw == null) {
            flaw = found;
        }
    }

    abstract void start(ObjectType type, int object);

    /// Looks at these bytes as far as they make up whole items.
    ///
    /// @return where the first item begins that is not whole; it comes again with what follows, and never
    ///     has more than 8 KiB
    abstract int consume(byte[] bytes, int from, int to) throws IOException, PackRefused;

    /// What is wrong with an object that ends here.
    ///
    /// @param unread bytes that never became a whole item
    abstract @Nullable String findLastFlaw(int unread);
}
