package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.Removal;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;

/// Enters repositories in the repair ledger whose governing state may have changed (P-541), in the very transaction
/// that changes it: for whoever changes events while no server runs. A server knows who maintains what and
/// enters fewer; here it is everybody of that name, and a run that finds nothing to do removes the row.
final class LedgerFollower implements StoreFollower {
    private final InstantSource clock;
    private final TreeSet<Identifier> concerned = new TreeSet<>();

    LedgerFollower(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void served(Event event) {
        note(event);
    }

    @Override
    public void left(Event event, Removal.Reason reason) {
        note(event);
    }

    /// A state that waits governs nothing, but an announcement that does may say who maintains what.
    @Override
    public void dropped(Held row) {
        if (row.event().kind() == Kinds.ANNOUNCEMENT) {
            note(row.event());
        }
    }

    private void note(Event event) {
        if (event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE) {
            Identifier.parse(event.tags().findValue("d").orElse("")).find().ifPresent(concerned::add);
        }
    }

    @Override
    public void conclude(StoreTransaction transaction) {
        var identifiers = List.copyOf(concerned);
        concerned.clear();
        if (!identifiers.isEmpty() && transaction.count(Table.REPOSITORIES) > 0) {
            identifiers.forEach(identifier -> enter(identifier, transaction));
        }
    }

    private void enter(Identifier identifier, StoreTransaction transaction) {
        var owners = new TreeSet<PublicKey>();
        transaction.forEachServed(new Lookup.TaggedOfKind(Kinds.ANNOUNCEMENT, 'd', identifier.text()), event -> {
            owners.add(event.read().author());
            return true;
        });
        owners.stream()
                .map(owner -> new RepositoryAddress(owner, identifier))
                .filter(address -> isHosted(address, transaction))
                .forEach(address -> enter(address, transaction));
    }

    /// One that is only referred to must not get a row: it would be taken for one that the operator has brought.
    private static boolean isHosted(RepositoryAddress address, StoreTransaction transaction) {
        return transaction
                .findRow(Table.REPOSITORIES, RowKeys.repository(address))
                .filter(row -> ((Standing) row).phase() == Standing.Phase.HOSTED)
                .isPresent();
    }

    private void enter(RepositoryAddress address, StoreTransaction transaction) {
        var now = clock.instant();
        transaction.put(transaction
                .findRow(Table.REPAIRS, RowKeys.repository(address))
                .map(row -> ((Repair) row).dueAt(now))
                .orElseGet(() -> Repair.due(address, now)));
    }

    @Override
    public void abandoned() {
        concerned.clear();
    }
}
