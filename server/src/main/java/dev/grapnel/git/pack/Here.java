package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/// The objects on which a pack may rest.
final class Here implements AutoCloseable {
    private static final int PIECE = 1 << 16;
    private static final int QUESTIONS_PER_BEGINNING = 8;
    private static final int BEGINNING_MAX = 4;
    private static final byte UNKNOWN = 0;
    private static final byte NONE = 1;
    private static final byte SOME = 2;

    private final Scratch scratch;
    private final ObjectReader contents;
    private final ObjectReader types;
    private int digits;
    private byte[] beginnings = new byte[0];

    Here(ObjectReader reader, Scratch scratch) {
        this.scratch = scratch;
        contents = reader.newReader();
        contents.setStreamFileThreshold(Content.HEAP_MAX);
        types = reader.newReader();
        types.setStreamFileThreshold(1); // content is not wanted, and most of it need not be inflated then
    }

    /// Prepares for being asked so many times whether an object is here. The answer "no" costs several
    /// looks at the disk, so when many are to come we ask once for each possible beginning of an id.
    void expect(int questions) {
        digits = 0;
        for (int many = QUESTIONS_PER_BEGINNING << 8; many <= questions && digits < BEGINNING_MAX; many <<= 4) {
            digits = Math.max(2, digits + 1);
        }
        beginnings = new byte[digits == 0 ? 0 : 1 << (4 * digits)];
    }

    boolean has(long a, long b, int c) throws IOException {
        return (digits == 0 || hasSome((int) (a >>> (64 - 4 * digits)))) && contents.has(id(a, b, c));
    }

    private boolean hasSome(int beginning) throws IOException {
        if (beginnings[beginning] == UNKNOWN) {
            var hex = HexFormat.of().toHexDigits(beginning, digits);
            beginnings[beginning] =
                    contents.resolve(AbbreviatedObjectId.fromString(hex)).isEmpty() ? NONE : SOME;
        }
        return beginnings[beginning] == SOME;
    }

    /// The type of an object, if it is here.
    Optional<ObjectType> findType(long a, long b, int c) throws IOException {
        try {
            return ObjectType.find(types.open(id(a, b, c)).getType());
        } catch (MissingObjectException _) {
            return Optional.empty();
        } catch (LargeObjectException e) {
            throw new IOException("an object is too large for the heap", e);
        }
    }

    /// An object, if it is here.
    Optional<Content> findContent(long a, long b, int c) throws IOException {
        try {
            return Optional.of(content(contents.open(id(a, b, c))));
        } catch (MissingObjectException _) {
            return Optional.empty();
        } catch (LargeObjectException e) {
            throw new IOException("an object is too large for the heap", e);
        }
    }

    /// Whether the object that is here has this content; without another of its id it is equal to itself.
    boolean isEqual(long a, long b, int c, ObjectType type, Content content) throws IOException {
        try {
            var loader = contents.open(id(a, b, c));
            if (loader.getType() != type.number() || loader.getSize() != content.size()) {
                return false;
            }
            if (!loader.isLarge()) {
                return isEqual(loader.getCachedBytes(), content);
            }
            try (InputStream stream = loader.openStream()) {
                return isEqual(stream, content);
            }
        } catch (LargeObjectException e) {
            throw new IOException("an object is too large for the heap", e);
        }
    }

    private static boolean isEqual(byte[] here, Content content) throws IOException {
        return content.isOnHeap()
                ? Arrays.equals(here, 0, here.length, content.heap(), 0, (int) content.size())
                : isEqual(new ByteArrayInputStream(here), content);
    }

    private static boolean isEqual(InputStream here, Content content) throws IOException {
        var ours = new byte[PIECE];
        var theirs = new byte[PIECE];
        int count;
        for (long at = 0; (count = here.readNBytes(ours, 0, PIECE)) > 0; at += count) {
            Halt.ifInterrupted("objects were compared");
            content.read(at, theirs, 0, count);
            if (!Arrays.equals(ours, 0, count, theirs, 0, count)) {
                return false;
            }
        }
        return true;
    }

    private Content content(ObjectLoader loader) throws IOException {
        if (!loader.isLarge() && loader.getSize() <= Content.HEAP_MAX) {
            var bytes = loader.getCachedBytes();
            return Content.of(bytes, bytes.length);
        }
        var content = Content.room(loader.getSize(), scratch);
        var piece = new byte[PIECE];
        try (InputStream stream = loader.openStream()) {
            int count;
            for (long at = 0; (count = stream.readNBytes(piece, 0, PIECE)) > 0; at += count) {
                Halt.ifInterrupted("an object was read");
                content.write(at, piece, 0, count);
            }
        }
        return content;
    }

    private static ObjectId id(long a, long b, int c) {
        return new ObjectId((int) (a >>> 32), (int) a, (int) (b >>> 32), (int) b, c);
    }

    @Override
    public void close() {
        contents.close();
        types.close();
    }
}
