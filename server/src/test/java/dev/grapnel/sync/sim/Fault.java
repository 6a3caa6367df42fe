package dev.grapnel.sync.sim;

/// What goes wrong (sync 10.2).
enum Fault {
    /// All links of a relay break.
    CUT,
    /// A relay is down for a while.
    DOWN,
    /// A node is without a network for a while.
    OUTAGE,
    /// The links of a node are half open.
    HALF_OPEN,
    /// Messages take longer.
    DELAY,
    /// Messages of different subscriptions overtake each other.
    REORDER,
    /// Messages come twice.
    DUPLICATE,
    /// A link breaks after any message.
    CUT_ANYWHERE,
    /// Messages get lost on a link that stays up.
    LOSS,
    /// Handshakes are refused.
    REFUSE,
    /// The name of a relay does not exist for a while.
    NO_NAME,
    /// The certificate of a relay is not valid for a while, or TLS fails.
    TLS,
    /// A node dies and is started again.
    CRASH,
    /// A node dies right after some message.
    CRASH_ANYWHERE,
    /// A node's disk is full.
    DISK_FULL,
    /// Files of a node are broken when it starts.
    CORRUPT,
    /// The clock of a node is set, and set right again.
    CLOCK,
    /// A relay says that all who listen are too slow.
    LAG,
    /// A git host does not answer for a while.
    GIT_AWAY
}
