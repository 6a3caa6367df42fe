package dev.grapnel.git.pack;

/// What became of a pack.
public sealed interface Intake {
    /// It is here, checked, complete and durable.
    record Received(ReceivedPack pack) implements Intake {}

    /// It had no objects, so there is no file.
    record Empty() implements Intake {}

    /// It is not what it should be, and nothing of it is left.
    ///
    /// @param reason one line for whoever sent it, which may tell what is in objects here
    /// @param flaw what that says about whoever sent it
    /// @param lookedFor objects outside the pack that were looked for until then, here or not
    record Refused(String reason, Flaw flaw, Borrowed lookedFor) implements Intake {}

    /// What is wrong with a pack.
    enum Flaw {
        /// It breaks off, contradicts itself or lacks something: so does the pack of an honest server whose disk
        /// or connection is damaged.
        BROKEN,
        /// It breaks a limit, or has an object that does harm: no damage explains it.
        HARMFUL
    }
}
