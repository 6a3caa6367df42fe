package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.util.Arrays;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// What objects name directly. Submodules are not among it: they are elsewhere, and nobody needs them here.
public final class ObjectLinks {
    private static final byte[] TREE = "tree ".getBytes(US_ASCII);
    private static final byte[] PARENT = "parent ".getBytes(US_ASCII);
    private static final byte[] OBJECT = "object ".getBytes(US_ASCII);
    private static final int LINE = 40 + 1;

    private ObjectLinks() {}

    /// Is told of each link.
    public interface Visitor {
        /// Hears of one.
        ///
        /// @param type as what it is named, in numbers of packs; [Constants#OBJ_BAD] if that is not said
        void visit(ObjectId id, int type) throws IOException;
    }

    /// Names each link of an object, in its order.
    ///
    /// @throws IOException also if the object is too large to be looked through
    public static void forEach(ObjectId id, ObjectLoader object, Visitor visitor) throws IOException {
        var type = ObjectType.find(object.getType());
        if (type.isEmpty() || type.get() == ObjectType.BLOB) {
            return;
        }
        try {
            forEach(type.get(), object.getCachedBytes(), visitor);
        } catch (LargeObjectException e) {
            throw new IOException("object " + id.name() + " is too large to look through", e);
        }
    }

    private static void forEach(ObjectType type, byte[] object, Visitor visitor) throws IOException {
        switch (type) {
            case COMMIT -> {
                int parents = lines(object, TREE, 0, Constants.OBJ_TREE, visitor);
                lines(object, PARENT, parents, Constants.OBJ_COMMIT, visitor);
            }
            case TREE -> entries(object, visitor);
            case TAG -> lines(object, OBJECT, 0, Constants.OBJ_BAD, visitor);
            case BLOB -> {
                // the end of every path
            }
        }
    }

    /// Ids in lines that begin with a word.
    ///
    /// @return where the next line begins
    private static int lines(byte[] object, byte[] word, int from, int type, Visitor visitor) throws IOException {
        int at = from;
        int length = word.length + LINE;
        while (at + length <= object.length && Arrays.equals(object, at, at + word.length, word, 0, word.length)) {
            visitor.visit(ObjectId.fromString(object, at + word.length), type);
            at += length;
        }
        return at;
    }

    private static void entries(byte[] tree, Visitor visitor) throws IOException {
        var entries = new CanonicalTreeParser();
        entries.reset(tree);
        for (; !entries.eof(); entries.next(1)) {
            int mode = entries.getEntryRawMode();
            if (!FileMode.GITLINK.equals(mode)) {
                visitor.visit(
                        entries.getEntryObjectId(),
                        FileMode.TREE.equals(mode) ? Constants.OBJ_TREE : Constants.OBJ_BLOB);
            }
        }
    }
}
