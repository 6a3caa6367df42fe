package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Looks at the content of commits, trees and tags while it passes by: its flaws (P-809), and to what it
/// links.
final class ObjectCheck {
    /// Longer than any item that a part wants whole.
    private static final int WINDOW = 1 << 13;

    private final TreeCheck trees;
    private final HeaderCheck headers;
    private final byte[] window = new byte[WINDOW];
    private int held;
    private @Nullable ContentCheck part;

    ObjectCheck(Needs needs) {
        trees = new TreeCheck(needs);
        headers = new HeaderCheck(needs);
    }

    /// Begins an object.
    void begin(ObjectType type, int object) {
        held = 0;
        part = switch (type) {
            case TREE -> trees;
            case COMMIT, TAG -> headers;
            case BLOB -> null;
        };
        if (part != null) {
            part.begin(type, object);
        }
    }

    /// The next piece of its content.
    void update(byte[] bytes, int from, int length) throws IOException, PackRefused {
        if (part == null || part.flaw() != null) {
            return;
        }
        if (held == 0) {
            int done = part.consume(bytes, from, from + length);
            int rest = from + length - done;
            if (rest <= WINDOW) {
                System.arraycopy(bytes, done, window, 0, rest);
                held = rest;
                return;
            }
            throw new IllegalStateException("a part of a check waits for more than it may");
        }
        through(part, bytes, from, length);
    }

    private void through(ContentCheck check, byte[] bytes, int from, int length) throws IOException, PackRefused {
        int at = from;
        while (at < from + length && check.flaw() == null) {
            int count = Math.min(WINDOW - held, from + length - at);
            System.arraycopy(bytes, at, window, held, count);
            at += count;
            held += count;
            int done = check.consume(window, 0, held);
            held -= done;
            System.arraycopy(window, done, window, 0, held);
        }
    }

    /// Ends the object.
    ///
    /// @throws PackRefused if it has a flaw
    void end(Oid id) throws PackRefused {
        if (part != null) {
            var flaw = part.flaw() != null ? part.flaw() : part.findLastFlaw(held);
            if (flaw != null) {
                throw new PackRefused("object " + id + ": " + flaw);
            }
        }
    }
}
