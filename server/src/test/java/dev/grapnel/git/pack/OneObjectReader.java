package dev.grapnel.git.pack;

import dev.grapnel.git.GitIds;
import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/// Has one blob, under an id that need not be its own.
final class OneObjectReader extends ObjectReader {
    private final Oid id;
    private final byte[] content;

    OneObjectReader(Oid id, byte[] content) {
        this.id = id;
        this.content = content;
    }

    @Override
    public ObjectReader newReader() {
        return new OneObjectReader(id, content);
    }

    @Override
    public Collection<ObjectId> resolve(AbbreviatedObjectId beginning) {
        var known = GitIds.of(id);
        return beginning.prefixCompare(known) == 0 ? List.of(known) : List.of();
    }

    @Override
    public Set<ObjectId> getShallowCommits() {
        return Set.of();
    }

    @Override
    public ObjectLoader open(AnyObjectId wanted, int typeHint) throws MissingObjectException {
        if (!GitIds.of(wanted).equals(id)) {
            throw new MissingObjectException(wanted.copy(), "object");
        }
        return new ObjectLoader.SmallObject(Constants.OBJ_BLOB, content);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
