package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/// Names all objects that lie in a directory, in packs and as files of their own.
public final class EveryObject {
    private EveryObject() {}

    /// Sees one object.
    public interface Visitor {
        void see(ObjectId id) throws IOException;
    }

    /// What lies in several packs is seen several times.
    public static void in(ObjectDirectory objects, Visitor visitor) throws IOException {
        for (var pack : objects.getPacks()) {
            for (var entry : pack.getIndex()) {
                visitor.see(entry.toObjectId());
            }
        }
        try (var directories = Files.newDirectoryStream(objects.getDirectory().toPath(), "[0-9a-f][0-9a-f]")) {
            for (var directory : directories) {
                inLoose(directory, visitor);
            }
        }
    }

    private static void inLoose(Path directory, Visitor visitor) throws IOException {
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                var name = String.valueOf(directory.getFileName()) + file.getFileName();
                if (name.length() == Constants.OBJECT_ID_STRING_LENGTH && ObjectId.isId(name)) {
                    visitor.see(ObjectId.fromString(name));
                }
            }
        } catch (NoSuchFileException _) {
            // packed meanwhile
        }
    }
}
