package dev.grapnel.git.pool;

import dev.grapnel.git.repository.EveryObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.lib.ObjectId;

/// Finds out whether each object of a place is there with all that it names. Other servers leave things behind
/// that are not: half of what nobody needed any more.
final class Wholeness {
    private static final int ASKED_AT_ONCE = 1 << 14;

    private final Proof proof;
    private final List<ObjectId> open = new ArrayList<>();
    private long count;

    private Wholeness(Proof proof) {
        this.proof = proof;
    }

    static long countIncomplete(Place place, Proof proof) throws IOException {
        var wholeness = new Wholeness(proof);
        EveryObject.in(place.directory(), wholeness::see);
        wholeness.ask();
        return wholeness.count;
    }

    private void see(ObjectId id) throws IOException {
        open.add(id);
        if (open.size() == ASKED_AT_ONCE) {
            ask();
        }
    }

    private void ask() throws IOException {
        proof.examine(open);
        for (var id : open) {
            count += proof.isComplete(id) ? 0 : 1;
        }
        open.clear();
    }
}
