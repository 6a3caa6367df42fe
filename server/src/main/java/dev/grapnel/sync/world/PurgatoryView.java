package dev.grapnel.sync.world;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Purgatory, as sync sees it. Every method is quick enough for the loop.
public interface PurgatoryView {
    /// All announcements that wait, those whose repository is gone and references included (R1.17), in the order of
    /// their addresses.
    List<Waiting> announcements();

    /// An announcement that waits.
    record Waiting(RepositoryAddress repository, EventId id) {}

    /// What a waiting announcement names (R1.14), ourselves left out; empty if it waits no more.
    List<RemoteUrl> relays(Waiting waiting);

    /// M(O,d) over served and held announcements (service 5.1).
    Set<PublicKey> maintainers(RepositoryAddress repository);

    /// Everybody whose announcement for an identifier is served or held here.
    List<RepositoryAddress> announced(String identifier);

    /// Those of them whose repositories take states: references and withdrawn ones left out.
    default List<RepositoryAddress> hosted(String identifier) {
        return announced(identifier);
    }

    /// Everybody whom a served or held announcement for an identifier lists, confirmed or not (R7.21), some more than
    /// once. There may be very many: they are found as they are taken, and may be taken later, as they were.
    Stream<PublicKey> listed(String identifier);

    /// Whether an announcement for the repository waits.
    boolean isHeld(RepositoryAddress repository);

    /// Tells on the loop, after each change of served or held announcements, which identifiers it concerned.
    ///
    /// @return ends it
    Runnable watch(Consumer<Set<String>> changed);
}
