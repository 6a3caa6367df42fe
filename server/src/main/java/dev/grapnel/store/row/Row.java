package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;

/// One durable row. Times in rows are whole milliseconds: what is finer is cut off (P-710).
public sealed interface Row
        permits Held,
                Placeholder,
                ExpiredEvent,
                Repair,
                TrashRecord,
                Standing,
                TrashedEvent,
                Adoption,
                RefusedEvent,
                RelayHealth,
                Gate,
                RetiredRequest,
                ImportPosition {
    /// Where it is kept.
    Table table();

    /// What it is kept under, as [RowKeys] makes it.
    Bytes key();
}
