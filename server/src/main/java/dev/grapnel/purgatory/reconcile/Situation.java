package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.purgatory.ServedStates;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the store says about one identifier (purgatory 5.2.1), the newest states first.
///
/// @param served states that are served, whoever their authors are
/// @param held states that wait
public record Situation(Pool pool, List<RepositoryState> served, List<RepositoryState> held) {
    private static final Comparator<RepositoryState> NEWEST_FIRST =
            Comparator.comparing(RepositoryState::version).reversed();

    public Situation {
        served = served.stream().sorted(NEWEST_FIRST).toList();
        held = held.stream().sorted(NEWEST_FIRST).toList();
    }

    /// Reads it.
    public static Situation read(Identifier identifier, StoreView view, Pools pools) {
        return new Situation(
                pools.seenBy(view, identifier), ServedStates.of(identifier, view), heldStates(identifier, view, pools));
    }

    /// Whether some repository of its identifier can have the ref of a proposal that waits, as soon as the commit
    /// is here.
    ///
    /// @param identifier one that it names, or another
    public static boolean isServable(HeldProposal row, Identifier identifier, StoreView view, Pools pools) {
        return ProposalScene.isServable(row, pools.seenBy(view, identifier), view);
    }

    private static List<RepositoryState> heldStates(Identifier identifier, StoreView view, Pools pools) {
        var states = new ArrayList<RepositoryState>();
        var now = pools.time().wall();
        view.forEachRow(Table.HELD_STATES, RowKeys.statesOf(identifier), row -> {
            var event = ((HeldState) row).event();
            if (!isOver(event, now.getEpochSecond())) {
                RepositoryState.parse(event).find().ifPresent(states::add);
            }
        });
        return states;
    }

    private static boolean isOver(Event event, long second) {
        return Expiration.of(event).find().orElse(Expiration.NEVER).second() <= second;
    }

    /// What a plan rests on: if it is the same when the plan's outcome is written down, the outcome is right.
    Basis basis() {
        return new Basis(
                pool.announced().stream().map(Footing::of).toList(),
                served.stream().map(RepositoryState::version).toList());
    }

    /// Who announces what, without the times until which something waits, and which states are served.
    record Basis(List<Footing> announced, List<Version> served) {
        Basis {
            announced = List.copyOf(announced);
            served = List.copyOf(served);
        }
    }

    /// One author's announcements, as far as it matters who maintains what.
    record Footing(
            PublicKey author,
            Optional<EventId> served,
            Optional<EventId> held,
            Optional<HeldAnnouncement.Phase> phase,
            Optional<Standing.Phase> standing) {
        static Footing of(Announced entry) {
            return new Footing(
                    entry.author(),
                    entry.served().map(voice -> voice.version().id()),
                    entry.held().map(held -> held.voice().version().id()),
                    entry.held().map(held -> held.phase()),
                    entry.standing());
        }
    }
}
