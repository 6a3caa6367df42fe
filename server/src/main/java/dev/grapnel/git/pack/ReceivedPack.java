package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.nio.file.Path;
import java.util.Optional;

/// A pack in quarantine that needs nothing but the objects it borrows.
public final class ReceivedPack {
    private final Path pack;
    private final Path index;
    private final int objects;
    private final long bytes;
    private final Borrowed borrowed;
    private final IdList sent;

    ReceivedPack(Path pack, Path index, int objects, long bytes, Borrowed borrowed, IdList sent) {
        this.pack = pack;
        this.index = index;
        this.objects = objects;
        this.bytes = bytes;
        this.borrowed = borrowed;
        this.sent = sent;
    }

    /// `pack-<checksum>.pack`.
    public Path pack() {
        return pack;
    }

    /// `pack-<checksum>.idx`.
    public Path index() {
        return index;
    }

    /// In the file, bases that were added to it included.
    public int objects() {
        return objects;
    }

    /// Of these, bases that were not sent: the pack was thin, and they were taken from what it rests on.
    public long added() {
        return objects - sent.size();
    }

    /// Of the file.
    public long bytes() {
        return bytes;
    }

    /// What it rests on.
    public Borrowed borrowed() {
        return borrowed;
    }

    /// What kind of object was sent under this id, if any was. A base that we added was not sent, but
    /// borrowed.
    public Optional<ObjectType> findType(Oid id) {
        return sent.findType(id);
    }
}
