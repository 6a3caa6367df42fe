package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Address;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentifierTest {
    @ParameterizedTest
    @ValueSource(strings = {"x", "my repo", "a:b:c", "100%", "Ünï", "😀", "...", ".git", "-rf", " ", "\u0085", "~"})
    void almostEverythingIsAnIdentifier(String text) {
        assertEquals(Parsed.valid(new Identifier(text)), Identifier.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "a\\b", "a\tb", "a\n", "\u0000", "\u007f", "a\ud800", "\udc00a"})
    void whatIsDangerousInAPathIsNone(String text) {
        assertEquals(Optional.empty(), Identifier.parse(text).find());
        assertThrows(IllegalArgumentException.class, () -> new Identifier(text));
    }

    @Test
    void lengthIsCountedInBytes() {
        assertEquals(true, Identifier.parse("a".repeat(200)).find().isPresent());
        assertEquals(true, Identifier.parse("é".repeat(100)).find().isPresent());
        assertEquals(true, Identifier.parse("😀".repeat(50)).find().isPresent());
        assertEquals(Optional.empty(), Identifier.parse("a".repeat(201)).find());
        assertEquals(Optional.empty(), Identifier.parse("é".repeat(100) + "a").find());
    }

    @Test
    void repositoryIsACoordinateBothWays() {
        var repository = new RepositoryAddress(People.keyOf("A"), new Identifier("a:b"));
        var text = "30617:" + People.keyOf("A").toHex() + ":a:b";
        assertEquals(text, repository.toString());
        assertEquals(Parsed.valid(repository), RepositoryAddress.parse(text));
        assertEquals(
                Parsed.valid(repository),
                RepositoryAddress.parse(text.toUpperCase(Locale.ROOT).replace("A:B", "a:b")));
        assertEquals(Address.parse(text).require(), repository.announcement());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "30617",
                "30617:",
                "30617:%s",
                "30617:%s:",
                "30617:%s:a/b",
                "30618:%s:x",
                "030617:%s:x",
                "30617:%s0:x",
                "30617::x",
                "30617:npub1x:x"
            })
    void anythingElseNamesNoRepository(String text) {
        var coordinate = text.formatted(People.keyOf("A").toHex());
        assertEquals(Optional.empty(), RepositoryAddress.parse(coordinate).find());
    }

    @Test
    void objectIdIsFortyLowerCaseDigits() {
        var digits = "0123456789abcdef0123456789abcdef89abcdef";
        assertEquals(digits, Oid.parse(digits).require().toString());
        assertEquals("0".repeat(40), Oid.ZERO.toString());
        assertEquals(Parsed.valid(Oid.ZERO), Oid.parse("0".repeat(40)));
        assertEquals(true, Oid.ZERO.isZero());
        assertEquals(
                true,
                Oid.parse("f".repeat(40)).require().compareTo(Oid.parse(digits).require()) > 0);
        assertEquals(true, Oid.parse("0".repeat(39) + "f").require().compareTo(Oid.ZERO) > 0);
        for (var bad : new String[] {"", "abc123", digits.toUpperCase(Locale.ROOT), "0".repeat(64), "g".repeat(40)}) {
            assertEquals(Optional.empty(), Oid.parse(bad).find(), bad);
        }
    }
}
