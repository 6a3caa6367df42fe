package dev.grapnel.git.pack;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// SHA-1 as a checksum of files, where nobody gains by a collision.
final class Checksum {
    private Checksum() {}

    static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
