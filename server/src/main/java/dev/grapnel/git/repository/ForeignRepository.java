package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A repository that another server made (purgatory 7.6). It is used where it lies and as it is; that it was
/// compared with events stands in its own configuration, so it is known whatever becomes of the store.
final class ForeignRepository {
    private static final String SHALLOW = "shallow";

    private ForeignRepository() {}

    /// Makes it ours.
    ///
    /// @throws FamilyLayout if it borrows objects
    static void takeOver(Path directory, Identifier identifier, boolean isPartial, Disk disk) throws IOException {
        FamilyLayout.refuse(directory);
        // Whatever its refs reach is here by now, and programs would still stop where this file says.
        if (Files.exists(directory.resolve(SHALLOW))) {
            disk.rename(directory.resolve(SHALLOW), directory.resolve(SHALLOW + ".former"));
        }
        NewRepository.addIdentifier(directory, identifier, isPartial, disk);
    }
}
