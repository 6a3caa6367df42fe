package dev.grapnel.sync.link;

import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;

/// Some relays drop the connection instead of refusing a long message (R3.8a): twice in a row, and messages are
/// shorter.
final class LargeDrops {
    private static final int LARGE = 60_000;
    private static final Duration TIME = Duration.ofSeconds(5);

    private int drops;
    private boolean isForgiven;

    /// The connection will end for another reason.
    void forgive() {
        isForgiven = true;
    }

    void lost(Wire line, Link link) {
        boolean isDrop = !isForgiven
                && line.largeSentAt().isPresent()
                && link.loop().nanos() - line.largeSentAt().getAsLong() <= TIME.toNanos();
        isForgiven = false;
        drops = isDrop ? drops + 1 : 0;
        if (drops >= 2) {
            drops = 0;
            link.bearing().learn(Trait.MESSAGE_BYTES, LARGE);
            link.note(new LinkNote.Structural("message_bytes"));
        }
    }
}
