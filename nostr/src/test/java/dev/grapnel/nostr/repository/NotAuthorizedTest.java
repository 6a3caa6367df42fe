package dev.grapnel.nostr.repository;

import static dev.grapnel.nostr.repository.People.X;
import static dev.grapnel.nostr.repository.People.announcements;
import static dev.grapnel.nostr.repository.People.keyOf;
import static dev.grapnel.nostr.repository.People.npubOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NotAuthorizedTest {
    private static final String INVITED = "invited by %s: announce this repository and list them to accept";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A: M A, m B; B: M A, m B!   | A   | B | you have ended your own role
            A: M B, m A; B: M A, m B    | A   | A | lead cycle
            A: M B                      | A   | B | lead {B} has no announcement here
            A: M B, m A; B: M B         | A B | A | lead {B} does not list you
            A: M A; C: M A              | A C | C | lead {A} does not list you
            A -> B                      | A   | C |
            A: m A!                     | A   | B | owner has ended its own role
            A: m A!; C                  | A C | B |
            """)
    void causeIsTheFirstThatApplies(String announcements, String owners, String author, @Nullable String cause) {
        assertEquals(
                Optional.ofNullable(cause).map(NotAuthorizedTest::withNpubs), cause(announcements, owners, author));
    }

    @Test
    void invitedAuthorIsToldHowToAccept() {
        assertEquals(Optional.of(INVITED.formatted(npubOf("A"))), cause("A -> B", "A", "B"));
    }

    @Test
    void invitationOfTheOwnerWithTheLowestKeyIsNamed() {
        var lower = keyOf("A").compareTo(keyOf("C")) < 0 ? "A" : "C";
        assertEquals(Optional.of(INVITED.formatted(npubOf(lower))), cause("A -> B; C -> B", "C A", "B"));
    }

    /// Cases come before owners: B's own empty set is named before the invitation of A.
    @Test
    void ownEmptySetIsNamedBeforeAnInvitation() {
        assertEquals(Optional.of("several leads at " + npubOf("B")), cause("A -> B; B: M C, M D", "A B", "B"));
    }

    @Test
    void invitationIsNamedBeforeTheLeadWhoDoesNotList() {
        assertEquals(Optional.of(INVITED.formatted(npubOf("A"))), cause("A -> B; B: M C, m B; C: M C", "A B", "B"));
    }

    @Test
    void withoutARepositoryThereIsNoCause() {
        assertEquals(Optional.empty(), cause("A: M A; B: m B!", "", "B"));
    }

    /// Nobody leaves, leads or is invited there, so nothing of that is a cause; only an owner whose announcement
    /// does not count has no set.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A: M A; B: m B!             | A   | B |
            A: M A, m B!; B: M A, m B!  | A   | B |
            A: M B, m A; B: M A, m B    | A   | C |
            A: M B                      | A   | C |
            A: M C, M D                 | A   | B |
            A -> B                      | A   | C |
            A: m A!                     | A   | B |
            A: o B                      | A   | B |
            C                           | A   | B | no announcement
            C                           | A C | B |
            """)
    void recursiveModelKnowsNoRolesOfOnesOwn(
            String announcements, String owners, String author, @Nullable String cause) {
        assertEquals(Optional.ofNullable(cause), cause(announcements, owners, author, MaintainerModel.RECURSIVE));
    }

    private static Optional<String> cause(String announcements, String owners, String author) {
        return cause(announcements, owners, author, MaintainerModel.CONFIRMED);
    }

    private static Optional<String> cause(String announcements, String owners, String author, MaintainerModel model) {
        var pool = AnnouncementPool.of(X, announcements(announcements));
        var keys = Arrays.stream(owners.split(" ", -1))
                .filter(name -> !name.isEmpty())
                .map(People::keyOf)
                .toList();
        return NotAuthorized.findCause(keyOf(author), keys, pool, new SetsOf(keys, pool, model));
    }

    private record SetsOf(List<PublicKey> owners, RosterPool pool, MaintainerModel model)
            implements NotAuthorized.Sets {
        @Override
        public Maintainers of(PublicKey owner) {
            return Maintainers.of(owner, pool, model);
        }

        @Override
        public Optional<PublicKey> findInviter(PublicKey person) {
            return owners.stream()
                    .sorted()
                    .flatMap(owner -> of(owner).findInviter(person).stream())
                    .findFirst();
        }

        @Override
        public boolean areEmpty() {
            return owners.stream().allMatch(owner -> of(owner).isEmpty());
        }
    }

    private static String withNpubs(String text) {
        return text.replace("{A}", npubOf("A")).replace("{B}", npubOf("B"));
    }
}
