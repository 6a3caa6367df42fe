package dev.grapnel.git.repository;

/// What became of a repository that was to be brought back.
public enum Restoration {
    /// It is where it was.
    DONE,
    /// Another one has taken its place meanwhile; it stays in the trash.
    OCCUPIED,
    /// It is in the trash no longer.
    GONE
}
