package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.util.sha1.SHA1;
import org.eclipse.jgit.util.sha1.Sha1CollisionException;

/// The id of an object: SHA-1 over its head and content, watching for the known attacks on it.
class ObjectHash {
    private static final int DIGITS_MAX = 20;

    private final SHA1 sha1 = watchful();
    private byte[] digest = new byte[20];

    /// Begins an object.
    void begin(ObjectType type, long size) {
        sha1.reset();
        head(type, size);
    }

    void update(byte[] bytes, int from, int length) {
        sha1.update(bytes, from, length);
    }

    /// Ends the object; its id can be read then.
    void end() throws PackRefused {
        try {
            digest = sha1.digest();
        } catch (Sha1CollisionException _) {
            throw new PackRefused("an object is made to collide with another under SHA-1");
        }
    }

    long a() {
        return Raw.number(digest, 0);
    }

    long b() {
        return Raw.number(digest, 8);
    }

    int c() {
        return Raw.integer(digest, 16);
    }

    /// Hashes what stands before the content.
    void head(ObjectType type, long size) {
        var word = type.word();
        var head = new byte[word.length() + 2 + DIGITS_MAX];
        int end = head.length - 1;
        int at = end;
        long rest = size;
        do {
            head[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        head[--at] = ' ';
        var letters = word.getBytes(StandardCharsets.US_ASCII);
        at -= letters.length;
        System.arraycopy(letters, 0, head, at, letters.length);
        sha1.update(head, at, end + 1 - at);
    }

    /// A user's git configuration can choose an implementation that notices nothing, which is not for a
    /// server.
    private static SHA1 watchful() {
        var sha1 = SHA1.newInstance().setDetectCollision(true);
        if (sha1.getClass().getName().equals(SHA1.Sha1Implementation.JDKNATIVE.toString())) {
            throw new IllegalStateException("core.sha1Implementation=jdkNative notices no SHA-1 collisions: remove it");
        }
        return sha1;
    }
}
