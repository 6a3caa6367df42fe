package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Follows every link to its end, in the pack or here, and looks into files that git itself reads.
///
/// Whatever is here has all that it reaches, so a pack whose links end well is connected.
final class LinkCheck {
    private static final int PIECE = 1 << 16;

    private final ObjectTable table;
    private final IdTable ids;
    private final Here here;
    private final DeltaResolver deltas;
    private final long borrowedMax;
    private long borrowed;

    LinkCheck(Reception.Tables tables, Here here, DeltaResolver deltas, long borrowedMax) {
        this.borrowedMax = borrowedMax;
        this.table = tables.objects();
        this.ids = tables.ids();
        this.here = here;
        this.deltas = deltas;
    }

    void run() throws IOException, PackRefused {
        for (long slot = 0; slot < ids.slots(); slot++) {
            if (ids.isUsed(slot)) {
                Halt.ifInterrupted("links were followed");
                follow(slot);
            }
        }
    }

    private void follow(long slot) throws IOException, PackRefused {
        boolean isSent = ids.has(slot, IdTable.SENT);
        int needed = ids.neededType(slot);
        if (!isSent && ++borrowed > borrowedMax) {
            throw Needs.tooMany();
        }
        if (needed != 0) {
            int found = isSent ? ids.type(slot) : typeHere(slot);
            if (found != needed) {
                throw new PackRefused("object " + ids.id(slot) + " is a " + word(found) + ", but " + needer(slot)
                        + " needs a " + word(needed));
            }
            if (ids.has(slot, IdTable.MODULES) || ids.has(slot, IdTable.ATTRIBUTES)) {
                readFile(slot, isSent);
            }
        }
    }

    private int typeHere(long slot) throws IOException, PackRefused {
        return here.findType(ids.a(slot), ids.b(slot), ids.c(slot))
                .orElseThrow(() -> missing(slot))
                .number();
    }

    private PackRefused missing(long slot) {
        return PackRefused.broken("missing object " + ids.id(slot) + ", which " + needer(slot) + " needs");
    }

    private String needer(long slot) {
        int needer = ids.needer(slot);
        return word(table.type(needer)) + " " + table.id(needer);
    }

    private static String word(int type) {
        return ObjectType.find(type).map(ObjectType::word).orElse("thing");
    }

    private void readFile(long slot, boolean isSent) throws IOException, PackRefused {
        try (var content = isSent ? deltas.make(ids.owner(slot)) : contentHere(slot)) {
            var flaw = ids.has(slot, IdTable.MODULES) ? findFlawOfModules(content) : null;
            if (flaw == null && ids.has(slot, IdTable.ATTRIBUTES)) {
                flaw = findFlawOfAttributes(content);
            }
            if (flaw != null) {
                throw new PackRefused("object " + ids.id(slot) + ": " + flaw);
            }
        }
    }

    private Content contentHere(long slot) throws IOException, PackRefused {
        return here.findContent(ids.a(slot), ids.b(slot), ids.c(slot)).orElseThrow(() -> missing(slot));
    }

    private static @Nullable String findFlawOfModules(Content content) {
        return content.size() > SubmodulesFile.BYTES_MAX
                ? ".gitmodules is larger than 4 MiB"
                : SubmodulesFile.findFlaw(content.heap(), (int) content.size());
    }

    private static @Nullable String findFlawOfAttributes(Content content) {
        var file = new AttributesFile(content.size());
        var piece = new byte[PIECE];
        for (long at = 0; at < content.size() && file.flaw() == null; at += PIECE) {
            int length = (int) Math.min(PIECE, content.size() - at);
            content.read(at, piece, 0, length);
            file.update(piece, length);
        }
        return file.flaw();
    }
}
