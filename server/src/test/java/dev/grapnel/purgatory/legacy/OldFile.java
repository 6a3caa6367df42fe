package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.StoreFixture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes files in the form of the existing server, and others.
final class OldFile {
    /// When it was saved: four minutes before the tests begin.
    static final long SAVED = StoreFixture.NOW - 240;

    static final String COMMIT = "1".repeat(40);
    static final String OTHER_COMMIT = "2".repeat(40);

    private String head = "\"version\":1,\"saved_at\":" + time(SAVED);
    private final Map<OldMap, Map<String, List<String>>> maps = new LinkedHashMap<>();

    static Event announcement(int author, String identifier) {
        return StoreSamples.event(author, 30617, SAVED, List.of(List.of("d", identifier)), "");
    }

    static Event state(int author, String identifier, String content) {
        var tags = List.of(List.of("d", identifier), List.of("refs/heads/main", COMMIT));
        return StoreSamples.event(author, 30618, SAVED, tags, content);
    }

    static Event proposal(int author, String content) {
        var tags = List.of(List.of("a", repository(0, "tools").toString()), List.of("c", COMMIT));
        return StoreSamples.event(author, 1618, SAVED, tags, content);
    }

    static RepositoryAddress repository(int owner, String identifier) {
        return new RepositoryAddress(StoreSamples.author(owner), new Identifier(identifier));
    }

    static String time(long seconds) {
        return "{\"secs_since_epoch\":" + seconds + ",\"nanos_since_epoch\":0}";
    }

    /// An entry with an event, in as few fields as the oldest versions wrote.
    static String entry(Event event, String expiresOffset) {
        return "{\"event\":" + event + ",\"created_at_offset_secs\":0,\"expires_at_offset_secs\":" + expiresOffset
                + "}";
    }

    OldFile head(String json) {
        head = json;
        return this;
    }

    OldFile announcement(Event event, long expiresOffset) {
        var identifier = event.tags().findValue("d").orElseThrow();
        return entry(
                OldMap.ANNOUNCEMENTS, event.author() + ":" + identifier, entry(event, Long.toString(expiresOffset)));
    }

    OldFile state(Event event, long expiresOffset) {
        var identifier = event.tags().findValue("d").orElseThrow();
        return entry(OldMap.STATES, identifier, entry(event, Long.toString(expiresOffset)));
    }

    OldFile proposal(Event event, long expiresOffset) {
        return entry(OldMap.PROPOSALS, event.id().toString(), entry(event, Long.toString(expiresOffset)));
    }

    OldFile expired(String id, String time) {
        return entry(OldMap.EXPIRED, id, time);
    }

    /// Any entry.
    OldFile entry(OldMap map, String key, String json) {
        maps.computeIfAbsent(map, _ -> new LinkedHashMap<>())
                .computeIfAbsent(key, _ -> new ArrayList<>())
                .add(json);
        return this;
    }

    /// Maps in the order in which they were first used; those that were not are missing.
    String json() {
        var out = new StringBuilder("{" + head);
        maps.forEach((map, entries) -> {
            var fields = new ArrayList<String>();
            entries.forEach((key, values) -> {
                if (map == OldMap.STATES) {
                    fields.add("\"" + key + "\":[" + String.join(",", values) + "]");
                } else {
                    values.forEach(value -> fields.add("\"" + key + "\":" + value));
                }
            });
            out.append(",\"" + map + "\":{" + String.join(",", fields) + "}");
        });
        return out.append("}").toString();
    }
}
