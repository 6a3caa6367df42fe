package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// All that hunting knows of the world (P-680). Every method may take its time and is called without a lock, by
/// many threads at once; none of them is called for one identifier while the answer is known already.
public interface World {
    /// What waits for objects now (P-610). Asked again before each URL, so it must not cost much.
    Pending look(Identifier identifier);

    /// Prepares a conversation with a server. Connects to nothing yet, and creates no hunting area before the first
    /// fetch: hourly looks never fetch.
    ///
    /// @param permits asked before each connection and each redirect; what it grants is given back by the core when
    ///     the visit has been closed
    Visit visit(Identifier identifier, HuntUrl url, Permits permits);

    /// Serves what is ready (purgatory 5) and returns afterwards.
    ///
    /// @return whether it came to its end
    boolean reconcile(Identifier identifier);

    /// Deletes what was fetched for an identifier and nothing that waits needs (P-807), because there was no room for
    /// more. Called after [#reconcile].
    ///
    /// @return whether there is more room now
    boolean makeRoom(Identifier identifier);

    /// Judges entries that are past their deadline (P-667), unless [Hunt#isFetching] keeps them. Called when a fetch
    /// and its reconcile are over, before the next URL of the identifier.
    void expire(Identifier identifier);

    /// What expired without its objects and is worth a look (P-613): without states whose author nobody authorises
    /// any more and proposals without a relevant owner. Asked about once a minute; a cheap picture is enough.
    List<DormantRecord> dormant();

    /// Where the event of a record may still be (sync R7.22a), best first: the relay it came from, then those that
    /// the announcements of its repositories name. Never ourselves.
    List<HuntUrl> relays(DormantRecord record);

    /// Asks a relay through the link that sync has to it (sync R7.22a); what it has is admitted as by [#revive].
    ///
    /// @param ids at most 100
    /// @return the events that were taken; empty if nobody follows relays here, so that they may be visited
    Optional<Set<EventId>> reviveByLink(HuntUrl relay, Set<EventId> ids);

    /// Prepares a conversation with a relay. Connects to nothing yet.
    ///
    /// @param permits as for [#visit]
    RelayVisit visitRelay(HuntUrl relay, Permits permits);

    /// Lifts the row of an expired event and admits it as a new synced one, both or neither; that leads to
    /// [Hunt#notice].
    ///
    /// @return whether it was taken
    boolean revive(Event event, HuntUrl relay);
}
