package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;

/// What became of a change of refs. Anything but [Done] has changed nothing.
public sealed interface RefOutcome {
    /// Everything was changed and is on the disk.
    record Done(Refs now) implements RefOutcome {}

    /// A ref names something else than it should have before.
    record Moved(RefName name, Oid actual) implements RefOutcome {}

    /// One name would lie below the other, as a file below a file.
    record Clash(RefName name, RefName with) implements RefOutcome {}

    /// No git could keep a ref of this name; the reason is fit to be shown.
    record Unwritable(RefName name, String reason) implements RefOutcome {}
}
