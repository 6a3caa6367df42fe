package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Tally;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// What waits, as other parts of the server see it (purgatory 1.7), and what may be done about it.
public final class Purgatory {
    private final EventStore store;
    private final Pools pools;
    private final Happenings happenings;
    private final Pins pins;
    private final ClockSteps clock;

    Purgatory(EventStore store, Pools pools, Happenings happenings, Pins pins, ClockSteps clock) {
        this.store = store;
        this.pools = pools;
        this.happenings = happenings;
        this.pins = pins;
        this.clock = clock;
    }

    /// Makes the deadlines in rows true if the clock was set a moment ago.
    public void followClock() {
        clock.follow();
    }

    /// The announcements, states and proposals of an identifier, as an immutable picture.
    public Pool of(Identifier identifier) {
        return pools.of(identifier);
    }

    /// Keeps a held event from expiring while something relies on it.
    public Pins pins() {
        return pins;
    }

    /// Whether something of an identifier waits for git data: announcements alone do not.
    public boolean hasPending(Identifier identifier) {
        var pool = pools.of(identifier);
        return !pool.states().isEmpty() || !pool.proposals().isEmpty();
    }

    /// A held event.
    public Optional<Held> find(EventId id) {
        return store.read(view -> view.findHeld(id));
    }

    /// Whether sync need not fetch an event: it waits, had its time, or is a deletion that only refuses
    /// (P-131).
    public boolean knows(EventId id) {
        return store.read(view -> view.isHeld(id)
                || view.findRow(Table.EXPIRED_EVENTS, Bytes.wrap(id.toBytes()))
                        .filter(row -> !((ExpiredEvent) row).lifted())
                        .isPresent()
                || view.findRow(Table.GATES, Bytes.wrap(id.toBytes())).isPresent());
    }

    /// The ids of all events that [#knows] knows.
    public void forEachKnownId(Consumer<EventId> action) {
        store.read(view -> {
            for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
                view.forEachRow(
                        table,
                        Bytes.EMPTY,
                        row -> action.accept(((Held) row).event().id()));
            }
            view.forEachRow(Table.EXPIRED_EVENTS, Bytes.EMPTY, row -> {
                if (row instanceof ExpiredEvent expired && !expired.lifted()) {
                    action.accept(expired.id());
                }
            });
            view.forEachRow(
                    Table.GATES,
                    Bytes.EMPTY,
                    row -> action.accept(((Gate) row).event().id()));
            return true;
        });
    }

    /// Held announcements with the relays they name, for sync (P-132).
    public void forEachAnnouncement(BiConsumer<RepositoryAddress, List<String>> action) {
        store.read(view -> {
            view.forEachRow(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY, row -> {
                var held = (HeldAnnouncement) row;
                Announcement.parse(held.event())
                        .find()
                        .ifPresent(announcement -> action.accept(held.repository(), announcement.relays()));
            });
            return true;
        });
    }

    /// How much there is of everything.
    public Tally counts() {
        return pools.total();
    }

    /// Held proposals, each counted once.
    public int proposalCount() {
        return pools.proposalCount();
    }

    /// Lets a held event go because the operator says so.
    public Optional<Held> drop(EventId id) {
        return store.write(Urgency.WAITING, 0, transaction -> {
                    var row = transaction.drop(id);
                    row.ifPresent(found -> happenings.note(new Happening.Dropped(found, DropReason.OPERATOR)));
                    return row;
                })
                .join();
    }

    /// Refuses an author from now on and removes everything by it, served and held; its repositories go
    /// into the trash.
    public void ban(PublicKey author, String reason) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction
                            .ban(author, reason)
                            .forEach(row -> happenings.note(new Happening.Dropped(row, DropReason.BANNED)));
                    return true;
                })
                .join();
    }

    /// Refuses an event from now on and removes it, served or held.
    public void ban(EventId event, String reason) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction
                            .ban(event, reason)
                            .forEach(row -> happenings.note(new Happening.Dropped(row, DropReason.BANNED)));
                    return true;
                })
                .join();
    }
}
