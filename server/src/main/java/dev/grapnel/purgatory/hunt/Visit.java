package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.List;
import java.util.Set;

/// A conversation with a git server about one repository.
public interface Visit extends Errand {
    /// Reads the server's refs, the first request of a visit.
    ///
    /// @param wanted ids that are looked for; more of the advertisement need not be kept
    /// @param names refs whose values may be asked for instead
    Advertisement advertise(Set<Oid> wanted, Set<RefName> names) throws VisitFailed;

    /// Asks for objects, with all they reach, into the identifier's hunting area.
    ///
    /// @param wants what is asked for, at most 2,000
    /// @param hoped other ids that may come along
    Fetched fetch(List<Oid> wants, Set<Oid> hoped) throws VisitFailed;

    /// Bytes that came so far, whatever became of them; may be asked by any thread.
    long bytesReceived();
}
