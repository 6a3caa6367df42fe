package dev.grapnel.nostr.repository;

import static dev.grapnel.nostr.repository.People.X;
import static dev.grapnel.nostr.repository.People.announcement;
import static dev.grapnel.nostr.repository.People.announcements;
import static dev.grapnel.nostr.repository.People.keyOf;
import static dev.grapnel.nostr.repository.People.npubOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.key.PublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The worked examples of service A.2, and what follows from them.
final class MaintainersTest {
    private static final List<String> NAMES = List.of("A", "B", "C", "D", "E");

    /// Columns: row, announcements, M(A), M(B), M(C), Invited(A). Names in braces are written as npub.
    @ParameterizedTest(name = "row {0}")
    @CsvSource(delimiter = '|', textBlock = """
             1 | A                                                   | A     | no announcement | | ''
             2 | A -> B                                              | A     | no announcement | | B
             3 | A -> B; B -> A                                      | A B   | A B   |       | ''
             4 | A -> B; B -> C; C -> B                              | A     | B C   | B C   | B
             5 | A -> B; B -> A, C; C -> B                           | A B C | A B C | A B C | ''
             6 | A -> B; B -> C; C -> A                              | A     | B     | C     | B
             7 | A -> B, C; B -> A; C -> B                           | A B C | A B C | C     | ''
             8 | A: M A, m B; B: M A, m B                            | A B   | A B   |       | ''
             9 | A: M A, m B!; B: M A, m B                           | A     | A     |       | ''
            10 | A: M A, m B; B: M A, m B!                           | A     | A     |       | ''
            11 | A: M B, m A!; B: M B, m A                           | B     | B     |       | ''
            12 | A: M B, m A; B: M B                                 | B     | B     |       | ''
            13 | A: M B, m A; B: M C, m B, m A; C: M C, m B, m A     | A B C | A B C | A B C | ''
            14 | A: M B, m A; B: M A, m B                            | lead cycle | lead cycle | | ''
            15 | A: M B, M C                                         | several leads at {A} | | | ''
            16 | A: M B                                              | lead {B} has no announcement here | no announcement | | ''
            17 | A: M B, m A; B: m B, m A                            | lead {B} does not declare itself lead | A B | | ''
            18 | A: m A!                                             | owner has ended its own role | | | ''
            19 | A: o B, maintainers C                               | A | no announcement | no announcement | ''
            20 | A: m B!defer; B -> A                                | A     | B     |       | ''
            21 | A: m ?; B -> A                                      | A     | B     |       | ''
            22 | A: M A, m B; B -> A                                 | A B   | A B   |       | ''
            23 | A: M A; C: M A                                      | A     |       | A     | ''
            25 | B -> A, C; C -> B; A -> B                           | A B C | A B C | A B C | ''
            """)
    void confirmedSetsAreThoseOfTheWorkedExamples(
            String row,
            String announcements,
            String ofA,
            @Nullable String ofB,
            @Nullable String ofC,
            String invitedByA) {
        var pool = pool(announcements(announcements));
        assertSet(ofA, confirmed("A", pool));
        assertSet(ofB, confirmed("B", pool));
        assertSet(ofC, confirmed("C", pool));
        assertEquals(invitedByA, namesOf(confirmed("A", pool).invited().keySet()), "invited in row " + row);
    }

    /// Row 24.
    @Test
    void announcementOfAnotherIdentifierAcceptsNothing() {
        var pool = pool(List.of(announcement("A -> B"), announcement("y", 10, "B -> A")));
        assertSet("A", confirmed("A", pool));
        assertSet("no announcement", confirmed("B", pool));
        assertEquals(Set.of(keyOf("B")), confirmed("A", pool).invited().keySet());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A -> B                          | A B
            A -> B; B -> C; C -> B          | A B C
            A -> B; B -> C; C -> A          | A B C
            A: M B, m C!; B: m B!, m D      | A B D
            A: M B, M C                     | A B C
            A: m A!                         | A
            B -> A                          | no announcement
            """)
    void recursiveSetsTakeEverybodyListed(String announcements, String ofA) {
        var set = Maintainers.of(keyOf("A"), pool(announcements(announcements)), MaintainerModel.RECURSIVE);
        assertSet(ofA, set);
        assertEquals(Set.of(), set.invited().keySet());
    }

    @Test
    void rootIsTheEndOfTheLeadPath() {
        var set = confirmed("A", pool(announcements("A: M B, m A; B: M C, m B, m A; C: M C, m B, m A")));
        assertEquals(Optional.of(keyOf("C")), set.root());
        assertEquals(List.of(keyOf("A"), keyOf("B"), keyOf("C")), set.path().nodes());
        assertEquals(Optional.empty(), set.failure());
    }

    @Test
    void brokenPathTellsHowFarItCame() {
        var set = confirmed("A", pool(announcements("A: M B, m A; B: M A, m B")));
        assertEquals(List.of(keyOf("A"), keyOf("B")), set.path().nodes());
        assertEquals(Optional.empty(), set.root());
        assertEquals(true, set.isEmpty());
    }

    @Test
    void inviterIsTheMemberOfTheLowestKeyWhoLists() {
        var set = confirmed("A", pool(announcements("A -> B, C, D; B -> A, D; C -> A, D, E")));
        var lowest = new TreeSet<>(List.of(keyOf("A"), keyOf("B"), keyOf("C"))).first();
        assertEquals(Set.of(keyOf("D"), keyOf("E")), set.invited().keySet());
        assertEquals(lowest, set.invited().get(keyOf("D")));
        assertEquals(keyOf("C"), set.invited().get(keyOf("E")));
    }

    @Test
    void whoeverLeftIsNotInvited() {
        var set = confirmed("A", pool(announcements("A -> B, C; B: m B!, M A")));
        assertEquals("C", namesOf(set.invited().keySet()));
    }

    @Test
    void newestAnnouncementOfEachAuthorCounts() {
        var before = announcement("x", 10, "A -> B");
        var after = announcement("x", 11, "A -> C");
        var others = announcements("B -> A; C -> A");
        for (var order : List.of(List.of(before, after), List.of(after, before))) {
            var all = new ArrayList<>(order);
            all.addAll(others);
            assertSet("A C", confirmed("A", pool(all)));
        }
        var pool = AnnouncementPool.of(X, List.of(after, before));
        assertEquals(Optional.of(after), pool.findAnnouncement(keyOf("A")));
        assertEquals(X, pool.identifier());
    }

    @Test
    void limitKeepsTheLowestKeysOfTheRound() {
        var everybody = PeopleByNumber.crowd(300);
        var set = Maintainers.of(PeopleByNumber.key(299), PeopleByNumber.pool(everybody), MaintainerModel.CONFIRMED);
        var expected = Stream.iterate(0, i -> i + 1)
                .limit(255)
                .map(PeopleByNumber::key)
                .collect(Collectors.toSet());
        expected.add(PeopleByNumber.key(299));
        assertEquals(expected, set.members());
        assertEquals(44, set.leftOut());
        assertEquals(44, set.invited().size());
    }

    /// A list is as long as an event allows; strangers in it are asked for, never gathered.
    @Test
    void strangersInAListAreInvitedWhenAskedFor() {
        var owner = PeopleByNumber.key(0);
        var strangers = IntStream.range(1, 2_000)
                .mapToObj(number -> PeopleByNumber.key(number).toString())
                .toList();
        var roster = Roster.of(owner, List.of(), strangers);
        var set = Maintainers.of(
                owner,
                author -> author.equals(owner) ? Optional.of(roster) : Optional.empty(),
                MaintainerModel.CONFIRMED);

        assertEquals(Set.of(owner), set.members());
        assertEquals(Optional.of(owner), set.findInviter(PeopleByNumber.key(1_999)));
        assertEquals(Optional.empty(), set.findInviter(PeopleByNumber.key(2_000)));
        assertEquals(Optional.empty(), set.findInviter(owner));
        assertEquals(1_999, set.invited().size());
    }

    @Test
    void addressesAreOrderedByOwnerThenIdentifier() {
        var one = new RepositoryAddress(PeopleByNumber.key(1), new Identifier("b"));
        var same = new RepositoryAddress(PeopleByNumber.key(1), new Identifier("b"));
        var other = new RepositoryAddress(PeopleByNumber.key(1), new Identifier("a"));
        var later = new RepositoryAddress(PeopleByNumber.key(2), new Identifier("a"));

        assertEquals(0, one.compareTo(same));
        assertTrue(one.compareTo(other) > 0);
        assertEquals(one.owner().compareTo(later.owner()) < 0, one.compareTo(later) < 0);
    }

    @Test
    void leadPathHasALongestLength() {
        for (int length : new int[] {256, 257}) {
            var chain = PeopleByNumber.leadChain(length);
            var set = Maintainers.of(PeopleByNumber.key(0), PeopleByNumber.pool(chain), MaintainerModel.CONFIRMED);
            assertEquals(
                    length == 256 ? Optional.empty() : Optional.of("lead path too long"),
                    set.failure(),
                    length + " nodes");
        }
    }

    private static RosterPool pool(Collection<Announcement> announcements) {
        return AnnouncementPool.of(X, announcements);
    }

    private static Maintainers confirmed(String owner, RosterPool pool) {
        return Maintainers.of(keyOf(owner), pool, MaintainerModel.CONFIRMED);
    }

    private static void assertSet(@Nullable String expected, Maintainers set) {
        if (expected == null) {
            return; // the table leaves this column open
        }
        assertEquals(withNpubs(expected), set.failure().orElseGet(() -> namesOf(set.members())));
        assertEquals(set.failure().isPresent(), set.isEmpty());
    }

    private static String withNpubs(String text) {
        return NAMES.stream().reduce(text, (part, name) -> part.replace("{" + name + "}", npubOf(name)));
    }

    private static String namesOf(Set<PublicKey> keys) {
        return NAMES.stream().filter(name -> keys.contains(keyOf(name))).collect(Collectors.joining(" "));
    }
}
