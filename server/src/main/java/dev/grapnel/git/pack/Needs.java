package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;

/// Notes what objects need: every link goes into the table of ids, where it meets the object or waits for it.
final class Needs {
    private final IdTable ids;
    private final long idsMax;

    /// @param idsMax most ids that may be in the table, objects of the pack and others
    Needs(IdTable ids, long idsMax) {
        this.ids = ids;
        this.idsMax = idsMax;
    }

    /// @param name what else is known of the end of the link: bits of [IdTable]
    void need(long a, long b, int c, ObjectType type, int needer, int name) throws IOException, PackRefused {
        long slot = ids.add(a, b, c);
        int before = ids.neededType(slot);
        if (before == 0) {
            if (ids.size() > idsMax) {
                throw tooMany();
            }
            ids.need(slot, type.number(), needer);
        } else if (before != type.number()) {
            throw new PackRefused("object " + ids.id(slot) + " is used as objects of two types");
        }
        if (name != 0) {
            ids.mark(slot, name);
        }
    }

    /// Notes the base of a delta that is not in the pack.
    void base(long a, long b, int c) throws IOException, PackRefused {
        ids.mark(ids.add(a, b, c), IdTable.BORROWED_BASE);
        if (ids.size() > idsMax) {
            throw tooMany();
        }
    }

    static PackRefused tooMany() {
        return new PackRefused("the pack rests on too many objects that are not in it");
    }
}
