package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.DATE;
import static dev.grapnel.sync.received.IntakeFixture.key;
import static dev.grapnel.sync.received.IntakeFixture.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreSamples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What refused events wait for (R7.20).
final class DependencyTest {
    private static final String ID = "1".repeat(64);

    @Test
    void announcementWaitsForBeingNamedAndStateForAuthority() {
        assertEquals(
                List.of(new Dependency.Maintainer(key(1), "a:b")),
                Dependency.of(IntakeFixture.announcement(1, "a:b", DATE)));
        assertEquals(List.of(new Dependency.Authority(key(2), "x")), Dependency.of(IntakeFixture.state(2, "x", DATE)));
        assertEquals(
                Optional.of(new Dependency.Unheld(repository(1, "x"))),
                Dependency.ofOutdated(IntakeFixture.announcement(1, "x", DATE)));
    }

    @Test
    void anythingElseWaitsForWhatItNamesAndForBeingNamed() {
        var event = StoreSamples.event(
                1,
                30_000,
                DATE,
                List.of(
                        List.of("d", "x"),
                        List.of("e", ID, "wss://r.example.org"),
                        List.of("E", ID),
                        List.of("a", "30617:" + key(2) + ":y"),
                        List.of("A", "10317:" + key(3)),
                        List.of("q", "30023:" + key(4) + ":z"),
                        List.of("p", ID),
                        List.of("e"),
                        List.of("a", "nonsense")),
                "");
        assertEquals(
                List.of(
                        new Dependency.EventServed(EventId.parse(ID).require()),
                        new Dependency.AddressServed("30617:" + key(2) + ":y"),
                        new Dependency.AddressServed("10317:" + key(3) + ":"),
                        new Dependency.AddressServed("30023:" + key(4) + ":z"),
                        new Dependency.AddressMentioned("30000:" + key(1) + ":x")),
                Dependency.of(event));
    }

    @Test
    void numberOfReferencesIsBounded() {
        var tags = new ArrayList<List<String>>();
        for (int i = 0; i < 1_000; i++) {
            tags.add(List.of("e", "%064x".formatted(i + 1)));
        }
        assertEquals(
                Dependency.REFERENCES_MAX,
                Dependency.of(StoreSamples.event(1, 1, DATE, tags, "")).size());
    }

    @Test
    void hashesTellAllOfThemApart() {
        var hashes = new KeyHash(5);
        var all = List.of(
                new Dependency.Maintainer(key(1), "x"),
                new Dependency.Authority(key(1), "x"),
                new Dependency.Authority(key(2), "x"),
                new Dependency.Authority(key(1), "y"),
                new Dependency.Authority(key(1), ""),
                new Dependency.Unheld(repository(1, "x")),
                new Dependency.AddressServed("30617:x"),
                new Dependency.AddressMentioned("30617:x"),
                new Dependency.AddressMentioned("30617:x\0"));
        var found = new HashSet<Long>();
        all.forEach(dependency -> found.add(hashes.of(dependency)));
        assertEquals(all.size(), found.size());
        assertNotEquals(hashes.of(all.getFirst()), new KeyHash(6).of(all.getFirst()));
    }
}
