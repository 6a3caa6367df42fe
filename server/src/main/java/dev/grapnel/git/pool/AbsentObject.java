package dev.grapnel.git.pool;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import org.eclipse.jgit.errors.MissingObjectException;

/// Something is not here with all it reaches, or cannot be read, which is the same to whoever needs it. Nothing of
/// ours has failed.
public final class AbsentObject extends MissingObjectException {
    private static final long serialVersionUID = 1L;

    private final transient Oid object;

    AbsentObject(Oid object) {
        super(GitIds.of(object), "unknown");
        this.object = object;
    }

    AbsentObject(MissingObjectException cause) {
        this(GitIds.of(cause.getObjectId()));
        initCause(cause);
    }

    /// What it is.
    public Oid object() {
        return object;
    }
}
