package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Arrays;

/// Under which keys an event is found (relay 7.4). The only place that knows: writing, removing and checking
/// all ask here.
final class EventIndex {
    /// Receives one entry.
    @FunctionalInterface
    interface Entry {
        void at(Table table, byte[] key);
    }

    private EventIndex() {}

    /// Names every entry of an event once.
    static void forEach(Event event, Entry entry) {
        var author = event.author().toBytes();
        entry.at(Table.IDS, Keys.id(event.id()));
        entry.at(Table.TIMES, Keys.ALL);
        entry.at(Table.AUTHORS, author);
        entry.at(Table.KINDS, Keys.kind(event.kind()));
        entry.at(Table.AUTHOR_KINDS, Keys.authorKind(event.author(), event.kind()));
        event.findAddress().ifPresent(address -> entry.at(Table.ADDRESSES, Keys.address(address)));
        forEachAlias(event, entry);
        var expiry = EventRecord.expiry(event);
        if (!expiry.equals(Expiration.NEVER)) {
            entry.at(Table.EXPIRIES, Keys.number(expiry.second()));
        }
        forEachTag(event, entry);
    }

    /// An addressable event has the address of its first `d` tag; `#d` finds it by each of them (relay 3.2).
    private static void forEachAlias(Event event, Entry entry) {
        if (event.kindClass() == KindClass.ADDRESSABLE) {
            event.tags().values("d").stream()
                    .map(value -> new Address(event.kind(), event.author(), value))
                    .filter(address -> !address.equals(event.findAddress().orElseThrow()))
                    .distinct()
                    .forEach(address -> entry.at(Table.ADDRESSES, Keys.alias(address)));
        }
    }

    private static void forEachTag(Event event, Entry entry) {
        var keys = new ArrayList<byte[]>();
        event.tags().forEachLettered((letter, value) -> keys.add(Keys.tag(letter, value)));
        keys.sort(Arrays::compareUnsigned);
        byte[] before = {};
        for (var key : keys) {
            if (!Arrays.equals(key, before)) {
                entry.at(Table.TAGS, key);
                entry.at(Table.KIND_TAGS, Keys.kindTag(event.kind(), key));
            }
            before = key;
        }
    }
}
