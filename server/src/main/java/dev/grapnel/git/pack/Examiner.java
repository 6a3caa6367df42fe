package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Gives each object its id, looks at its content, and enters it into the tables.
final class Examiner {
    private static final int PIECE = 1 << 16;

    private final long wholeBytesMax;
    private final ObjectTable table;
    private final IdTable ids;
    private final Here here;
    private final ObjectHash hash;
    private final ObjectCheck check;
    private final List<Integer> unequalPerhaps = new ArrayList<>();

    /// @param wholeBytesMax of objects that lead to others
    Examiner(ObjectTable table, IdTable ids, Needs needs, Here here, ObjectHash hash, long wholeBytesMax) {
        this.wholeBytesMax = wholeBytesMax;
        this.table = table;
        this.ids = ids;
        this.here = here;
        this.hash = hash;
        this.check = new ObjectCheck(needs);
    }

    /// Begins an object that comes in pieces.
    void begin(int object, ObjectType type, long size) throws PackRefused {
        if (type != ObjectType.BLOB && size > wholeBytesMax) {
            throw new PackRefused("a " + type.word() + " of " + size + " bytes is larger than " + wholeBytesMax
                    + " bytes, the most that can be looked through here: make it smaller");
        }
        hash.begin(type, size);
        check.begin(type, object);
    }

    void update(byte[] bytes, int length) throws IOException, PackRefused {
        hash.update(bytes, 0, length);
        check.update(bytes, 0, length);
    }

    /// Ends an object whose content is all in this array, or, where it is longer, is looked at once more
    /// later.
    void end(int object, ObjectType type, long size, byte[] bytes, int length) throws IOException, PackRefused {
        enter(object, type);
        if (here.has(hash.a(), hash.b(), hash.c())) {
            if (length == size) {
                compare(object, type, Content.of(bytes, length));
            } else {
                unequalPerhaps.add(object);
            }
        }
    }

    /// An object as a whole.
    void examine(int object, ObjectType type, Content content) throws IOException, PackRefused {
        begin(object, type, content.size());
        if (content.isOnHeap()) {
            update(content.heap(), (int) content.size());
        } else {
            var piece = new byte[PIECE];
            for (long at = 0; at < content.size(); at += PIECE) {
                Halt.ifInterrupted("an object was hashed");
                int length = (int) Math.min(PIECE, content.size() - at);
                content.read(at, piece, 0, length);
                update(piece, length);
            }
        }
        enter(object, type);
        if (here.has(hash.a(), hash.b(), hash.c())) {
            compare(object, type, content);
        }
    }

    /// Large objects that are here already, and are not compared yet. There are few: they fill the pack.
    List<Integer> unequalPerhaps() {
        return unequalPerhaps;
    }

    /// Refuses an object that differs from the one here of the same id.
    void compare(int object, ObjectType type, Content content) throws IOException, PackRefused {
        if (!here.isEqual(table.a(object), table.b(object), table.c(object), type, content)) {
            throw new PackRefused("object " + table.id(object) + " is here already, with another content");
        }
    }

    private void enter(int object, ObjectType type) throws IOException, PackRefused {
        hash.end();
        table.setId(object, hash.a(), hash.b(), hash.c());
        table.setType(object, type.number());
        long slot = ids.add(hash.a(), hash.b(), hash.c());
        if (ids.has(slot, IdTable.SENT)) {
            throw PackRefused.broken("object " + ids.id(slot) + " is in the pack twice");
        }
        ids.mark(slot, IdTable.SENT | type.number());
        ids.setOwner(slot, object);
        if (type != ObjectType.BLOB) {
            check.end(table.id(object));
        }
    }
}
