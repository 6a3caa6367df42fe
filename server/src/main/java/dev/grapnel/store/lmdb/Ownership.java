package dev.grapnel.store.lmdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;

/// Gives a file that takes another one's place the same owner, group and permissions: the operator who makes it
/// need not be the user who runs the server.
final class Ownership {
    private Ownership() {}

    /// Nothing is done where files have no such things.
    static void copy(Path from, Path to) throws IOException {
        var old = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        var fresh = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (old == null || fresh == null) {
            return;
        }
        var wanted = old.readAttributes();
        var found = fresh.readAttributes();
        if (!wanted.owner().equals(found.owner())) {
            fresh.setOwner(wanted.owner());
        }
        if (!wanted.group().equals(found.group())) {
            fresh.setGroup(wanted.group());
        }
        fresh.setPermissions(wanted.permissions());
    }
}
