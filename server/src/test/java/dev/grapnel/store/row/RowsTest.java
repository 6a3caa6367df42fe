package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Rows come back as they were stored, or not at all.
final class RowsTest {
    @Test
    void everySortOfRowComesBackWithEveryField() {
        for (var row : RowSamples.all()) {
            assertEquals(Parsed.valid(row), Rows.decode(row.table(), row.key(), Rows.encode(row)));
        }
    }

    @Test
    void samplesCoverEverySortOfRow() {
        var sorts = Stream.of(Row.class.getPermittedSubclasses())
                .flatMap(sort -> sort == Held.class ? Stream.of(Held.class.getPermittedSubclasses()) : Stream.of(sort))
                .collect(Collectors.toSet());
        var sampled = RowSamples.all().stream().map(Object::getClass).collect(Collectors.toSet());
        assertEquals(sorts, sampled);
        assertEquals(
                sampled.size(),
                RowSamples.all().stream().map(Row::table).distinct().count());
    }

    @Test
    void everyConstantComesBack() {
        for (var phase : HeldAnnouncement.Phase.values()) {
            assertComesBack(RowSamples.announcement().withPhase(phase, RowSamples.LATER));
        }
        for (var source : Source.values()) {
            assertComesBack(RowSamples.state().withSource(source));
        }
        for (var step : Adoption.Step.values()) {
            assertComesBack(new Adoption(RowSamples.REPOSITORY, step, RowSamples.SINCE, ""));
        }
        for (var type : Remote.Type.values()) {
            assertComesBack(healthOf(new Remote(type, "x")));
        }
    }

    @Test
    void updatesOfPullRequestsAreHeldWithPullRequests() {
        var event = RowSamples.proposing(Kinds.PULL_REQUEST_UPDATE);
        assertComesBack(new HeldProposal(event, RowSamples.SINCE, RowSamples.UNTIL, Source.DIRECT, List.of()));
    }

    @Test
    void relayOfASyncedEventComesBack() {
        var relay = Optional.of("wss://relay.example.org");
        var state = RowSamples.state();
        assertComesBack(new HeldState(state.event(), RowSamples.SINCE, RowSamples.UNTIL, Source.SYNC, relay));
        var proposing = RowSamples.proposing(Kinds.PULL_REQUEST);
        assertComesBack(new HeldProposal(proposing, RowSamples.SINCE, RowSamples.UNTIL, Source.SYNC, List.of(), relay));
    }

    @Test
    void eventOfAnySizeComesBack() {
        var content = "ä".repeat(3_000_000);
        var tags = List.of(List.of("d", "big"), List.of("x", "y".repeat(100_000)));
        var event = StoreSamples.event(0, Kinds.STATE, 1, tags, content);
        assertComesBack(new HeldState(event, RowSamples.SINCE, RowSamples.UNTIL, Source.DIRECT));
    }

    @Test
    void flippedBitIsNoticed() {
        for (var row : RowSamples.all()) {
            var value = Rows.encode(row).toArray();
            for (int bit = 0; bit < value.length * 8; bit++) {
                var damaged = value.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);
                assertInvalid(row.table(), row.key(), Bytes.wrap(damaged), "bit " + bit + " of " + row.table());
            }
        }
    }

    @Test
    void missingEndIsNoticed() {
        for (var row : RowSamples.all()) {
            var value = Rows.encode(row).toArray();
            for (int length = 0; length < value.length; length++) {
                var cut = Bytes.copyOf(value, 0, length);
                assertInvalid(row.table(), row.key(), cut, length + " bytes of " + row.table());
            }
            assertInvalid(
                    row.table(),
                    row.key(),
                    Bytes.wrap(Arrays.copyOf(value, value.length + 1)),
                    "longer " + row.table());
        }
    }

    @Test
    void onlyWholeFieldsMayBeMissingUnderRightChecksum() {
        for (var row : RowSamples.all()) {
            var stored = StoredFields.of(row);
            var fields = stored.toArray();
            var boundaries = IntStream.rangeClosed(0, stored.parts().size())
                    .mapToObj(count -> new StoredFields(row, stored.parts().subList(0, count)).toArray().length)
                    .collect(Collectors.toSet());
            for (int length = 0; length < fields.length; length++) {
                var cut = Rows.seal(row.table(), row.key(), Arrays.copyOf(fields, length));
                if (!boundaries.contains(length)) {
                    assertInvalid(row.table(), row.key(), cut, length + " bytes of " + row.table());
                }
            }
        }
    }

    @Test
    void rowUnderAnotherKeyIsNoticed() {
        for (var row : RowSamples.all()) {
            var value = Rows.encode(row);
            var key = row.key().toArray();
            for (int bit = 0; bit < key.length * 8; bit++) {
                var other = key.clone();
                other[bit / 8] ^= (byte) (1 << bit % 8);
                assertInvalid(row.table(), Bytes.wrap(other), value, "bit " + bit + " of the key in " + row.table());
            }
            assertInvalid(row.table(), Bytes.EMPTY, value, "no key");
        }
    }

    @Test
    void rowThatWasSealedForAnotherKeyIsNoticed() {
        for (var row : RowSamples.all()) {
            var other = Bytes.wrap(Arrays.copyOf(row.key().toArray(), row.key().length() + 1));
            var value = Rows.seal(row.table(), other, StoredFields.of(row).toArray());
            assertEquals(
                    Parsed.invalid("the row belongs under another key"),
                    Rows.decode(row.table(), other, value),
                    row.toString());
        }
    }

    @Test
    void rowInAnotherTableIsNoticed() {
        for (var row : RowSamples.all()) {
            for (var other : RowSamples.all()) {
                if (other.table() != row.table()) {
                    assertInvalid(other.table(), row.key(), Rows.encode(row), row + " in " + other.table());
                }
            }
        }
    }

    @Test
    void eventOfAnotherKindIsNoticed() {
        var announcing = RowSamples.announcing("x");
        var stating = RowSamples.stating("x");
        var proposing = RowSamples.proposing(Kinds.PULL_REQUEST);
        var deleting = RowSamples.gate().event();
        for (var event : List.of(stating, proposing, deleting)) {
            assertEventRefused(RowSamples.announcement(), event);
        }
        for (var event : List.of(announcing, proposing, deleting)) {
            assertEventRefused(RowSamples.state(), event);
        }
        for (var event : List.of(announcing, stating, deleting)) {
            assertEventRefused(RowSamples.proposal(), event);
        }
        for (var event : List.of(announcing, stating, proposing)) {
            assertEventRefused(RowSamples.gate(), event);
        }
    }

    @Test
    void anotherEventOfTheRightKindIsNoticed() {
        assertEventRefused(RowSamples.announcement(), RowSamples.announcing("other"));
        assertEventRefused(RowSamples.state(), RowSamples.stating("other"));
        assertEventRefused(
                RowSamples.state(),
                StoreSamples.event(9, Kinds.STATE, 5, List.of(List.of("d", RowSamples.IDENTIFIER.text())), ""));
        assertEventRefused(RowSamples.proposal(), RowSamples.proposing(Kinds.PULL_REQUEST_UPDATE));
        assertEventRefused(RowSamples.gate(), StoreSamples.event(3, Kinds.DELETION, 5, List.of(), ""));
    }

    @Test
    void eventWhoseIdIsNotItsHashIsNoticed() {
        var row = RowSamples.state();
        var json = row.event().toString().replace("1699999100", "1699999101");
        var value = StoredFields.of(row).without(1).with(1, utf8(json)).sealed();
        var reason = assertInstanceOf(Parsed.Invalid.class, Rows.decode(row.table(), row.key(), value));
        assertTrue(reason.reason().startsWith("event: "), reason.reason());
    }

    @Test
    void tableWithoutRowsIsTheCallersMistake() {
        var withRows = RowSamples.all().stream().map(Row::table).toList();
        for (var table : EnumSet.complementOf(EnumSet.copyOf(withRows))) {
            assertThrows(IllegalArgumentException.class, () -> Rows.decode(table, Bytes.EMPTY, Bytes.EMPTY));
        }
    }

    /// The file is what a Grapnel of this format has written: if this fails, stored rows can no longer be
    /// read.
    @Test
    void rowsAreWrittenAsTheyAlwaysWere() throws IOException {
        var written = new ArrayList<String>();
        for (var row : RowSamples.all()) {
            written.add(row.table().storedName() + " " + row.key().toHex() + " "
                    + Rows.encode(row).toHex());
        }
        try (var file = RowsTest.class.getResourceAsStream("rows.txt")) {
            var stored = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(stored, String.join("\n", written) + "\n");
        }
    }

    static RelayHealth healthOf(Remote remote) {
        var row = RowSamples.health();
        return new RelayHealth(
                remote,
                row.failures(),
                row.failingSince(),
                row.lastSuccess(),
                row.retryAt(),
                row.cooldownUntil(),
                row.parkedUntil(),
                row.naughty(),
                row.learned());
    }

    private static void assertComesBack(Row row) {
        assertEquals(Parsed.valid(row), Rows.decode(row.table(), row.key(), Rows.encode(row)));
    }

    private static void assertInvalid(Table table, Bytes key, Bytes value, String what) {
        assertInstanceOf(Parsed.Invalid.class, Rows.decode(table, key, value), what);
    }

    private static void assertEventRefused(Row row, Event event) {
        var value = StoredFields.of(row).without(1).with(1, event.json()).sealed();
        assertInvalid(row.table(), row.key(), value, event + " in " + row.table());
    }

    private static Bytes utf8(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
