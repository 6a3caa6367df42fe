package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;

/// What a push wants to do with a branch or a tag.
record StateCommand(RefName ref, PushCommand command) {
    boolean isDeletion() {
        return command.isDeletion();
    }

    Oid after() {
        return command.after();
    }

    /// Whether everything is as it shall be. What the client thought was there plays no part: others may have
    /// led there meanwhile.
    boolean isVoid(Refs refs) {
        return refs.target(ref).equals(command.after());
    }

    /// Whether the client knew what it replaces.
    boolean isUpToDate(Refs refs) {
        return refs.target(ref).equals(command.before());
    }
}
