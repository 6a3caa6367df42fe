package dev.grapnel.purgatory;

/// Why an event is not taken: for other parts of the server, which must not read texts (sync R7.16).
public enum Cause {
    /// An announcement that does not list this service, of somebody who has one here.
    DOES_NOT_LIST_SERVICE,
    /// An announcement that does not list this service, of somebody whom nobody here names yet.
    MAINTAINER_NOT_YET_VALID,
    /// A state of somebody who may not sign for any repository here.
    STATE_NOT_AUTHORISED,
    /// Neither refers to anything here, nor does anything here refer to it.
    ORPHAN,
    /// Its author took it back.
    DELETED,
    /// A newer version is served.
    SUPERSEDED,
    /// A newer version waits; none is served.
    SUPERSEDED_BY_HELD,
    /// It had its time in purgatory.
    EXPIRED,
    /// Dated too far ahead: later it may be taken.
    AHEAD,
    /// Its signature is not its author's.
    FORGED,
    /// Something of ours is full or failed: later it may be taken.
    TRANSIENT,
    /// Nothing that may come changes it.
    FINAL
}
