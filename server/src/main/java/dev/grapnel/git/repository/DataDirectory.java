package dev.grapnel.git.repository;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// The directory of all repositories, and our own corner in it.
///
/// @param root without links in its path
record DataDirectory(Path root, AtomicLong numbers) {
    /// No key looks like this, so it is nobody's.
    static final String OURS = ".grapnel";

    /// Parts of our corner.
    enum Area {
        /// Objects that wait until they may come in.
        QUARANTINE("quarantine"),
        /// Uploads that nobody has signed yet.
        STAGING("staging"),
        /// What was fetched for events that wait.
        HUNTING("hunting"),
        /// Repositories that are being made.
        MAKING("making"),
        /// Repositories that can be brought back.
        TRASH("trash"),
        /// What is being deleted.
        DOOMED("doomed"),
        /// To find out what the file system does with names.
        PROBE("probe");

        private final String directory;

        Area(String directory) {
            this.directory = directory;
        }
    }

    /// @throws FamilyLayout if it belongs to another server, whose layout cannot be used
    static DataDirectory at(Path root) throws IOException {
        var refusal = FamilyLayout.find(root);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        Files.createDirectories(root);
        var directory = new DataDirectory(root.toRealPath(), new AtomicLong());
        for (var area : Area.values()) {
            directory.require(area);
        }
        return directory;
    }

    Path area(Area area) {
        return root.resolve(OURS, area.directory);
    }

    /// Makes it if it is missing: somebody may have emptied the directory while the server runs.
    Path require(Area area) throws IOException {
        return Files.createDirectories(area(area));
    }

    /// A name in an area that nothing has had since the start.
    Path fresh(Area area) throws IOException {
        return require(area).resolve(Long.toString(numbers.incrementAndGet()));
    }

    /// Where repositories of an owner lie.
    Path owner(PublicKey owner) {
        return root.resolve(new Npub(owner).text());
    }

    Path ownFile(String name) {
        return root.resolve(OURS, name);
    }

    Path lock() {
        return ownFile("lock");
    }
}
