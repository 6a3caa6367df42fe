package dev.grapnel.purgatory.legacy;

import java.io.IOException;

/// The file as a whole is not what the existing server writes, so nothing of it is used. The message is a phrase
/// fit to follow "because".
final class DamagedFile extends IOException {
    private static final long serialVersionUID = 1;

    DamagedFile(String reason) {
        super(reason);
    }

    DamagedFile(String reason, long position) {
        super("it is no longer what was written: " + reason + " near byte " + position);
    }
}
