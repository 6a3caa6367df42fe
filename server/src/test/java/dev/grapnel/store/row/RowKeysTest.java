package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.table.Table;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Keys name one row each, and what they begin with finds exactly the rows it should.
final class RowKeysTest {
    private static final List<Identifier> IDENTIFIERS = Stream.of(
                    "a", "a:b", "ab", "a ", "b", ":", "ä", "a".repeat(200), "ä".repeat(100))
            .map(Identifier::new)
            .toList();
    private static final List<EventId> IDS = List.of(
            new EventId(0, 0, 0, 0),
            new EventId(-1, -1, -1, -1),
            RowSamples.ID,
            new EventId(0x6100_0000_0000_0000L, 0, 0, 1));

    @Test
    void keysAreAsTheSpecificationSays() {
        var owner = StoreSamples.author(0);
        assertEquals(
                owner.toHex() + ":grün:kern",
                new String(RowSamples.announcement().key().toArray(), StandardCharsets.UTF_8));
        assertEquals(RowSamples.repair().key(), RowSamples.announcement().key());
        assertEquals(RowSamples.adoption().key(), RowSamples.announcement().key());
        assertEquals(RowSamples.ID.toHex(), RowSamples.placeholder().key().toHex());
        assertEquals(
                RowSamples.proposal().event().id().toHex(),
                RowSamples.proposal().key().toHex());
        assertEquals(
                RowSamples.gate().event().id().toHex(), RowSamples.gate().key().toHex());
        assertEquals(
                hexOf("grün:kern") + "00" + RowSamples.state().event().id().toHex(),
                RowSamples.state().key().toHex());
        assertEquals(
                hexOf(owner.toHex() + ":grün:kern") + "00" + RowSamples.ID.toHex(),
                RowSamples.trash().key().toHex());
        assertEquals(
                hexOf("relay:wss://relay.example.org"),
                RowSamples.health().key().toHex());
        assertEquals("0000000000000007", RowSamples.importPosition().key().toHex());
    }

    @Test
    void scanForAnIdentifierFindsItsStatesOnly() {
        var seen = new HashSet<Bytes>();
        for (var identifier : IDENTIFIERS) {
            for (var id : IDS) {
                var key = RowKeys.state(identifier, id);
                assertTrue(seen.add(key), () -> identifier + " " + id);
                assertShort(key);
                for (var wanted : IDENTIFIERS) {
                    assertEquals(
                            wanted.equals(identifier),
                            RowKeys.begins(key.toArray(), RowKeys.statesOf(wanted)),
                            () -> identifier + " among those of " + wanted);
                }
            }
        }
    }

    @Test
    void scanForRepositoryFindsItsTrashOnly() {
        var seen = new HashSet<Bytes>();
        for (var repository : repositories()) {
            for (var id : IDS) {
                var key = RowKeys.trash(repository, id);
                assertTrue(seen.add(key));
                assertShort(key);
                for (var wanted : repositories()) {
                    assertEquals(wanted.equals(repository), RowKeys.begins(key.toArray(), RowKeys.trashOf(wanted)));
                }
            }
        }
    }

    @Test
    void scanForOwnerFindsItsRepositoriesOnly() {
        var seen = new HashSet<Bytes>();
        for (var repository : repositories()) {
            var key = RowKeys.repository(repository);
            assertTrue(seen.add(key));
            assertShort(key);
            for (int author = 0; author < 2; author++) {
                var wanted = StoreSamples.author(author);
                assertEquals(
                        wanted.equals(repository.owner()),
                        RowKeys.begins(key.toArray(), RowKeys.repositoriesOf(wanted)));
            }
        }
    }

    @Test
    void remotesOfEveryLengthHaveKeysOfTheirOwn() {
        var seen = new HashSet<Bytes>();
        for (var type : Remote.Type.values()) {
            for (int length : new int[] {1, 32, 504, 505, 506, 507, 508, 2048, 2049}) {
                for (var letter : List.of("x", "y", "ü")) {
                    var key = RowKeys.remote(new Remote(type, letter.repeat(length)));
                    assertTrue(seen.add(key), () -> type + " " + letter + " " + length);
                    assertShort(key);
                    for (var wanted : Remote.Type.values()) {
                        assertEquals(wanted == type, RowKeys.begins(key.toArray(), RowKeys.remotesOf(wanted)));
                    }
                }
            }
        }
    }

    @Test
    void healthUnderHashedKeyComesBack() {
        var row = RowsTest.healthOf(new Remote(Remote.Type.GIT, "https://git.example.org/" + "a".repeat(2000)));
        assertEquals(row, Rows.decode(row.table(), row.key(), Rows.encode(row)).require());
    }

    @Test
    void shorterKeyBeginsWithNothingLonger() {
        assertFalse(RowKeys.begins(new byte[0], RowKeys.statesOf(new Identifier("a"))));
        assertTrue(RowKeys.begins(new byte[] {'a', 0}, RowKeys.statesOf(new Identifier("a"))));
        assertTrue(RowKeys.begins(new byte[0], Bytes.EMPTY));
    }

    private static List<RepositoryAddress> repositories() {
        return IntStream.range(0, 2)
                .boxed()
                .flatMap(author -> IDENTIFIERS.stream()
                        .map(identifier -> new RepositoryAddress(StoreSamples.author(author), identifier)))
                .toList();
    }

    private static void assertShort(Bytes key) {
        assertTrue(key.length() <= Table.KEY_BYTES_MAX, () -> key.length() + " bytes");
    }

    private static String hexOf(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)).toHex();
    }
}
