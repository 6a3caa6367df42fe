package dev.grapnel.purgatory.push;

/// Whether a repository takes pushes at all (service 6.3). If several apply, the first does.
public enum Standing {
    /// The service keeps copies and takes none.
    READ_ONLY_ARCHIVE,
    /// Its owner has gone elsewhere.
    WITHDRAWN,
    /// No announcement of the owner, served or held, asks for a repository here.
    UNANNOUNCED,
    /// It does.
    HOSTED
}
