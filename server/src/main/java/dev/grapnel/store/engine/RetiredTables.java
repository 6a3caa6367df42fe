package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.row.RetiredRequest;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Requests that left service and still block (service 4.9.3): each row, and the index that finds it by its
/// author, change together. Blocking itself is the business of their tombstones.
final class RetiredTables {
    private final WriteTables tables;

    RetiredTables(WriteTables tables) {
        this.tables = tables;
    }

    static boolean has(ReadTables tables, EventId request) {
        return tables.count(Table.RETIRED_REQUESTS) > 0
                && tables.find(Table.RETIRED_REQUESTS, request.toBytes()) != null;
    }

    /// Keeps a request that leaves service. One that has an expiration is not kept: it must be gone from the
    /// disk soon after that date (relay 4.6), and nobody looks for it here. Its tombstones do not need it; if it
    /// is sent again before that date, it is served until the next pass.
    void put(Event request, Instant now) {
        if (EventRecord.expiry(request).equals(Expiration.NEVER)) {
            RowTables.put(tables, new RetiredRequest(request, now));
            tables.put(Table.RETIRED_AUTHORS, authorKey(request), new byte[0]);
        }
    }

    /// Takes a request out and returns it.
    Optional<RetiredRequest> remove(EventId id) {
        var found = has(tables, id) ? Optional.of(require(id)) : Optional.<RetiredRequest>empty();
        found.ifPresent(row -> {
            tables.remove(Table.RETIRED_REQUESTS, id.toBytes());
            tables.remove(Table.RETIRED_AUTHORS, authorKey(row.event()));
        });
        return found;
    }

    /// All of an author.
    List<RetiredRequest> of(PublicKey author) {
        var requests = new ArrayList<RetiredRequest>();
        var prefix = author.toBytes();
        var rows = tables.rows(Table.RETIRED_AUTHORS, prefix);
        while (rows.next() && Keys.startsWith(rows.key(), prefix)) {
            requests.add(require(Keys.idIn(rows.key(), Word256.BYTES)));
        }
        return requests;
    }

    private RetiredRequest require(EventId id) {
        return RowTables.find(tables, Table.RETIRED_REQUESTS, Bytes.wrap(id.toBytes()))
                .map(row -> (RetiredRequest) row)
                .orElseThrow(() -> new StoreDamage("an author's retired request " + id + " is not there"));
    }

    static byte[] authorKey(Event request) {
        return Keys.join(request.author().toBytes(), request.id().toBytes());
    }
}
