package dev.grapnel.git.repository;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.InvalidObjectIdException;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// What an object names directly. Submodules are not among it: they are elsewhere, and nobody needs them here.
public final class ObjectLinks {
    private static final byte[] TREE = "tree ".getBytes(US_ASCII);
    private static final byte[] PARENT = "parent ".getBytes(US_ASCII);
    private static final byte[] OBJECT = "object ".getBytes(US_ASCII);
    private static final int LINE = 40 + 1;

    private final ObjectId id;
    private final int type;
    private final byte[] content;

    private ObjectLinks(ObjectId id, int type, byte[] content) {
        this.id = id;
        this.type = type;
        this.content = content;
    }

    /// Is told of each link.
    public interface Visitor {
        /// Hears of one.
        ///
        /// @param type as what it is named, in numbers of packs; [Constants#OBJ_BAD] if that is not said
        void visit(ObjectId id, int type) throws IOException;
    }

    /// Reads an object, so that whatever fails later is not its fault.
    ///
    /// @throws IOException also if the object is too large to be looked through
    public static ObjectLinks read(ObjectId id, ObjectLoader object) throws IOException {
        try {
            boolean hasLinks = ObjectType.find(object.getType())
                    .filter(type -> type != ObjectType.BLOB)
                    .isPresent();
            return new ObjectLinks(id, object.getType(), hasLinks ? object.getCachedBytes() : new byte[0]);
        } catch (LargeObjectException e) {
            throw new IOException("object " + id.name() + " is too large to look through", e);
        }
    }

    /// Names each link of an object, in its order.
    ///
    /// @throws IOException also if the object is too large to be looked through
    public static void forEach(ObjectId id, ObjectLoader object, Visitor visitor) throws IOException {
        read(id, object).forEach(visitor);
    }

    /// The type of the object, in numbers of packs.
    public int type() {
        return type;
    }

    /// Names each link, in its order.
    ///
    /// @throws CorruptObjectException if this is no object as git makes them
    public void forEach(Visitor visitor) throws IOException {
        switch (type) {
            case Constants.OBJ_COMMIT -> {
                int parents = lines(TREE, 0, Constants.OBJ_TREE, visitor);
                lines(PARENT, parents, Constants.OBJ_COMMIT, visitor);
            }
            case Constants.OBJ_TREE -> entries(visitor);
            case Constants.OBJ_TAG -> lines(OBJECT, 0, Constants.OBJ_BAD, visitor);
            default -> {
                // the end of every path
            }
        }
    }

    /// Ids in lines that begin with a word.
    ///
    /// @return where the next line begins
    private int lines(byte[] word, int from, int linked, Visitor visitor) throws IOException {
        int at = from;
        int length = word.length + LINE;
        while (at + length <= content.length && Arrays.equals(content, at, at + word.length, word, 0, word.length)) {
            visitor.visit(idAt(at + word.length), linked);
            at += length;
        }
        return at;
    }

    private ObjectId idAt(int at) throws CorruptObjectException {
        try {
            return ObjectId.fromString(content, at);
        } catch (InvalidObjectIdException e) {
            throw corrupt(e);
        }
    }

    private void entries(Visitor visitor) throws IOException {
        var entries = new CanonicalTreeParser();
        for (boolean isMore = begin(entries); isMore; isMore = next(entries)) {
            int mode = entries.getEntryRawMode();
            if (!FileMode.GITLINK.equals(mode)) {
                visitor.visit(
                        entries.getEntryObjectId(),
                        FileMode.TREE.equals(mode) ? Constants.OBJ_TREE : Constants.OBJ_BLOB);
            }
        }
    }

    private boolean begin(CanonicalTreeParser entries) throws CorruptObjectException {
        try {
            entries.reset(content);
            return isWhole(entries);
        } catch (IndexOutOfBoundsException e) {
            throw corrupt(e);
        }
    }

    private boolean next(CanonicalTreeParser entries) throws CorruptObjectException {
        try {
            entries.next(1);
            return isWhole(entries);
        } catch (IndexOutOfBoundsException e) {
            throw corrupt(e);
        }
    }

    /// The parser reads the mode and the name, and takes for granted that an id follows.
    private static boolean isWhole(CanonicalTreeParser entries) {
        if (entries.eof()) {
            return false;
        }
        Objects.checkFromIndexSize(entries.idOffset(), Constants.OBJECT_ID_LENGTH, entries.idBuffer().length);
        return true;
    }

    private CorruptObjectException corrupt(RuntimeException cause) {
        var corrupt = new CorruptObjectException(id, "it is not built as git builds them");
        corrupt.initCause(cause);
        return corrupt;
    }
}
