package dev.grapnel.nostr.repository;

import static dev.grapnel.nostr.repository.People.keyOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Kinds;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AnnouncementTest {
    private static final List<String> D = List.of("d", "x");
    private static final String A = keyOf("A").toHex();
    private static final String B = keyOf("B").toHex();
    private static final String C = keyOf("C").toHex();

    @Test
    void everythingItSaysIsRead() {
        var announcement = read(
                List.of("d", "my:repo"),
                List.of("d", "other"),
                List.of("name", "My Repo"),
                List.of("description", "what it is"),
                List.of("web", "https://w1", "https://w2"),
                List.of("clone", "https://c1", "git@c2:x"),
                List.of("relays", "wss://r1", "wss://r2"),
                List.of("relays", "wss://r2", "wss://r3"),
                List.of("t", "java"),
                List.of("t", "git"),
                List.of("r", "c0ffee"),
                List.of("r", "decade", "euc"),
                List.of("private", "true"));
        assertEquals("30617:" + A + ":my:repo", announcement.address().toString());
        assertEquals(Optional.of("My Repo"), announcement.name());
        assertEquals(Optional.of("what it is"), announcement.description());
        assertEquals(List.of("https://w1", "https://w2"), announcement.webUrls());
        assertEquals(List.of("https://c1", "git@c2:x"), announcement.cloneUrls());
        assertEquals(List.of("wss://r1", "wss://r2", "wss://r3"), announcement.relays());
        assertEquals(List.of("java", "git"), announcement.topics());
        assertEquals(Optional.of("decade"), announcement.earliestUniqueCommit());
        assertEquals(true, announcement.isPrivate());
        assertEquals(keyOf("A"), announcement.owner());
        assertEquals(announcement.event().version(), announcement.version());
    }

    @Test
    void onlyAnIdentifierIsNeeded() {
        var announcement = read(D);
        assertEquals(Optional.empty(), announcement.name());
        assertEquals(Optional.empty(), announcement.earliestUniqueCommit());
        assertEquals(List.of(), announcement.cloneUrls());
        assertEquals(false, announcement.isPrivate());
        assertEquals(announcement, read(D));
    }

    @Test
    void reasonsAreThoseOfTheSpecification() {
        assertEquals("kind 30618 is not a repository announcement", reason(Kinds.STATE, D));
        assertEquals("no d tag with an identifier", reason(Kinds.ANNOUNCEMENT, List.of("name", "x")));
        assertEquals("no d tag with an identifier", reason(Kinds.ANNOUNCEMENT, List.of("d"), D));
        assertEquals("the identifier is empty", reason(Kinds.ANNOUNCEMENT, List.of("d", "")));
        assertEquals(
                "the identifier has a slash, a backslash or a control character",
                reason(Kinds.ANNOUNCEMENT, List.of("d", "a/b"), D));
        assertEquals(
                "multiple clone tags found, use one clone tag with several values",
                reason(Kinds.ANNOUNCEMENT, D, List.of("clone", "a"), List.of("clone")));
    }

    @Test
    void rolesAreKeptWithTheirHistory() {
        var records = read(D, List.of("M", A), List.of("m", B, "1", "2", "3"), List.of("o"), List.of("mm", C))
                .roleRecords();
        assertEquals(
                List.of(
                        new RoleRecord(Role.LEAD, A, List.of()),
                        new RoleRecord(Role.MAINTAINER, B, List.of("1", "2", "3")),
                        new RoleRecord(Role.MODERATOR, "", List.of())),
                records);
    }

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "1, true",
        "0, true",
        "1 2 3, true",
        "9 5 1, true",
        "18446744073709551615, true",
        "00000000000000000000000000007, true",
        "1 2, false",
        "1 defer, false",
        "18446744073709551616, false",
        "99999999999999999999999, false",
        "+1, false",
        "-1, false",
        "1.5, false",
        "x, false",
        "٣, false",
        "1 x 3, false",
        "1 2 3 4, false"
    })
    void roleLastsUnlessAnEndIsTheLastWord(String boundaries, boolean active) {
        var list = boundaries.isEmpty() ? List.<String>of() : List.of(boundaries.split(" ", -1));
        assertEquals(active, new RoleRecord(Role.MAINTAINER, A, list).isActive());
    }

    @Test
    void emptyBoundaryMakesARecordInactive() {
        assertEquals(false, new RoleRecord(Role.MAINTAINER, A, List.of("")).isActive());
    }

    @Test
    void rosterNamesWhoIsListedAndLeads() {
        var roster = read(
                        D,
                        List.of("M", B.toUpperCase(Locale.ROOT)),
                        List.of("m", A),
                        List.of("m", C, "1", "2"),
                        List.of("m", C, "3"),
                        List.of("o", keyOf("D").toHex()),
                        List.of("o", keyOf("E").toHex(), "1", "2"),
                        List.of("maintainers", keyOf("F").toHex()))
                .roster();
        assertEquals(true, roster.hasRoles());
        assertEquals(List.of(keyOf("B"), keyOf("C")).stream().sorted().toList(), roster.listed());
        assertEquals(List.of(keyOf("B")), roster.leads());
        assertEquals(List.of(keyOf("D")), roster.moderators());
        assertEquals(true, roster.isActive());
        assertEquals(true, roster.names(keyOf("D")) && roster.names(keyOf("B")));
        assertEquals(false, roster.names(keyOf("E")) || roster.lists(keyOf("D")) || roster.names(keyOf("F")));
    }

    @Test
    void maintainersOfAllTagsCountWithoutRoles() {
        var roster = read(
                        D, List.of("maintainers", B, "junk", A), List.of("maintainers", C.toUpperCase(Locale.ROOT), B))
                .roster();
        assertEquals(false, roster.hasRoles());
        assertEquals(List.of(keyOf("B"), keyOf("C")).stream().sorted().toList(), roster.listed());
        assertEquals(List.of(), roster.leads());
        assertEquals(true, roster.isActive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"M", "m", "o"})
    void malformedRecordStillSwitchesMaintainersOff(String letter) {
        for (var tag : List.of(List.of(letter), List.of(letter, "junk"), List.of(letter, B, "1", "2"))) {
            var roster = read(D, tag, List.of("maintainers", C)).roster();
            assertEquals(true, roster.hasRoles());
            assertEquals(List.of(), roster.listed());
            assertEquals(true, roster.isActive());
        }
    }

    @Test
    void authorNamedOnlyByEndedRolesOrAsModeratorHasLeft() {
        assertEquals(false, read(D, List.of("m", A, "1", "2")).roster().isActive());
        assertEquals(false, read(D, List.of("M", A, "x")).roster().isActive());
        assertEquals(false, read(D, List.of("o", A)).roster().isActive());
        assertEquals(
                true,
                read(D, List.of("m", A, "1", "2"), List.of("M", A)).roster().isActive());
        assertEquals(true, read(D, List.of("m", B, "1", "2")).roster().isActive());
    }

    @Test
    void leadMayBeTheAuthor() {
        var roster = read(D, List.of("M", A), List.of("M", A, "1")).roster();
        assertEquals(List.of(keyOf("A")), roster.leads());
        assertEquals(List.of(), roster.listed());
    }

    @SafeVarargs
    private static Announcement read(List<String>... tags) {
        return parse(Kinds.ANNOUNCEMENT, tags).require();
    }

    @SafeVarargs
    private static String reason(int kind, List<String>... tags) {
        return ((Parsed.Invalid<Announcement>) parse(kind, tags)).reason();
    }

    @SafeVarargs
    private static Parsed<Announcement> parse(int kind, List<String>... tags) {
        return Announcement.parse(People.sign("A", kind, 10, People.tags(tags)));
    }
}
