package dev.grapnel.git;

import dev.grapnel.nostr.repository.Oid;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;

/// Object ids in the form of the git library, and back.
public final class GitIds {
    private GitIds() {}

    /// For the library.
    public static ObjectId of(Oid id) {
        return new ObjectId((int) (id.a() >>> 32), (int) id.a(), (int) (id.b() >>> 32), (int) id.b(), id.c());
    }

    /// From the library.
    public static Oid of(AnyObjectId id) {
        var raw = new byte[20];
        id.copyRawTo(raw, 0);
        return read(raw, 0);
    }

    /// From the twenty bytes that stand in trees, packs and indexes.
    public static Oid read(byte[] raw, int from) {
        return new Oid(number(raw, from, 8), number(raw, from + 8, 8), (int) number(raw, from + 16, 4));
    }

    private static long number(byte[] raw, int from, int length) {
        long number = 0;
        for (int i = from; i < from + length; i++) {
            number = (number << 8) | (raw[i] & 0xff);
        }
        return number;
    }
}
