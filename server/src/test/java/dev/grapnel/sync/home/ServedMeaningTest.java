package dev.grapnel.sync.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Urls;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.Removal;
import dev.grapnel.store.Removal.Reason;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Mutation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What events mean for what is wanted.
final class ServedMeaningTest {
    private static final String OTHER = "1".repeat(64);
    private static final RepositoryAddress REPOSITORY =
            new RepositoryAddress(StoreSamples.author(1), new Identifier("a:b"));

    private final ServedMeaning meaning = new ServedMeaning(Urls.own("git.example.com"));

    private static Event event(int kind, String... tags) {
        return StoreSamples.event(
                1,
                kind,
                1_000,
                Stream.of(tags).map(tag -> Arrays.asList(tag.split(" "))).toList(),
                "");
    }

    private static EventId id(String hex) {
        return EventId.parse(hex).require();
    }

    private static List<RemoteUrl> relays(String... texts) {
        return Stream.of(texts).map(text -> RelayPlaces.parse(text).require()).toList();
    }

    @Test
    void announcementNamesItsRelaysWithoutOurselves() {
        var npub = new Npub(StoreSamples.author(1));
        var event = event(
                Kinds.ANNOUNCEMENT,
                "d a:b",
                "clone https://git.example.com/" + npub + "/x.git https://other.example.com/git/" + npub
                        + "/x.git https://forge.example.com/me/x.git",
                "relays wss://one.example.com wss://GIT.example.com:443/ two.example.com wss://One.example.com/",
                "relays wss://git.example.com.evil.example");
        assertEquals(
                Optional.of(new Mutation.Announced(
                        REPOSITORY,
                        event.id(),
                        relays(
                                "wss://one.example.com",
                                "wss://two.example.com",
                                "wss://git.example.com.evil.example",
                                "wss://other.example.com/git"))),
                meaning.ofServed(event));
    }

    @Test
    void rootsNameAllTheirRepositories() {
        for (int kind : List.of(1617, 1618, 1619, 1621)) {
            var event = event(kind, "a " + REPOSITORY, "a 30617:nobody:x", "a 30617:" + OTHER + ":y", "e " + OTHER);
            assertEquals(
                    Optional.of(new Mutation.RootServed(
                            event.id(),
                            1_000,
                            List.of(
                                    REPOSITORY,
                                    RepositoryAddress.parse("30617:" + OTHER + ":y")
                                            .require()))),
                    meaning.ofServed(event));
        }
    }

    @Test
    void whatRefersToSomethingMayBePartOfAThread() {
        var comment = event(
                1111,
                "E " + OTHER,
                "e " + "2".repeat(64),
                "q " + OTHER,
                "q 30023:" + OTHER + ":article",
                "A " + REPOSITORY,
                "a 30618:" + OTHER + ":x",
                "e nonsense");
        assertEquals(
                Optional.of(new Mutation.MemberServed(
                        comment.id(),
                        1_000,
                        Optional.empty(),
                        List.of(id("2".repeat(64)), id(OTHER)),
                        List.of("30023:" + OTHER + ":article"))),
                meaning.ofServed(comment));
        var page = event(30023, "d x", "e " + OTHER);
        assertEquals(
                Optional.of("30023:" + StoreSamples.author(1) + ":x"),
                ((Mutation.MemberServed) meaning.ofServed(page).orElseThrow()).address());
    }

    /// Row 12: what says how an issue stands, or answers it, may name its repository, too.
    @Test
    void whatNamesARepositoryBesideAnIssueIsNoRoot() {
        for (int kind : List.of(1630, 1631, 1632, 1633, 1111, 1)) {
            var event = event(kind, "a " + REPOSITORY, "e " + OTHER);
            assertEquals(
                    Optional.of(new Mutation.MemberServed(
                            event.id(), 1_000, Optional.empty(), List.of(id(OTHER)), List.of())),
                    meaning.ofServed(event));
        }
    }

    @Test
    void whatNobodyAnswersIsNoMember() {
        for (int kind : List.of(5, 7, 1984, 9734, 9735)) {
            assertEquals(Optional.empty(), meaning.ofServed(event(kind, "e " + OTHER)));
        }
        assertEquals(Optional.empty(), meaning.ofServed(event(10317, "g wss://x.example")));
    }

    @Test
    void ofThousandsOfReferencesTheFirstTwoHundredCount() {
        var ids = IntStream.range(0, 300).mapToObj("%064x"::formatted).toList();
        var comment = event(1111, ids.stream().map("e "::concat).toArray(String[]::new));
        assertEquals(
                ids.subList(0, 200).stream().map(ServedMeaningTest::id).toList(),
                ((Mutation.MemberServed) meaning.ofServed(comment).orElseThrow()).events());
        var mixed = event(
                1111,
                Stream.of("A", "a", "q", "E", "e")
                        .flatMap(letter -> ids.subList(0, 41).stream().map(id -> letter + " " + id))
                        .toArray(String[]::new));
        assertEquals(
                41,
                ((Mutation.MemberServed) meaning.ofServed(mixed).orElseThrow())
                        .events()
                        .size());
        var issue = event(1621, ids.stream().map(id -> "a 30617:" + id + ":x").toArray(String[]::new));
        assertEquals(
                200,
                ((Mutation.RootServed) meaning.ofServed(issue).orElseThrow())
                        .repositories()
                        .size());
    }

    @Test
    void addressThatIsTooLongIsNoMembers() {
        var address = "30023:" + StoreSamples.author(1) + ":" + "x".repeat(441);
        var page = event(30023, "d " + "x".repeat(441), "e " + OTHER);
        assertEquals(512, address.length());
        assertEquals(
                Optional.of(address),
                ((Mutation.MemberServed) meaning.ofServed(page).orElseThrow()).address());
        var tooLong = event(30023, "d " + "x".repeat(442), "e " + OTHER);
        assertEquals(
                Optional.empty(),
                ((Mutation.MemberServed) meaning.ofServed(tooLong).orElseThrow()).address());
        assertEquals(
                Optional.of(address + "x"), ServedMeaning.appearance(tooLong).address(), "others may wait for it");
        var onBoth = event(1111, "a " + address, "a " + address + "x");
        assertEquals(
                List.of(address),
                ((Mutation.MemberServed) meaning.ofServed(onBoth).orElseThrow()).addresses());
    }

    @Test
    void issueWithoutARepositoryIsNoRoot() {
        assertEquals(Optional.empty(), meaning.ofServed(event(1621, "a nonsense")));
    }

    @Test
    void stateCountsByItsAddress() {
        assertEquals(
                Optional.of(new Mutation.StatesChanged(StoreSamples.author(1), "a:b")),
                meaning.ofServed(event(Kinds.STATE, "d a:b", "refs/heads/main x")));
    }

    @Test
    void everythingThatAppearsIsToldWithWhatItNames() {
        var event = event(7, "e " + OTHER, "E x", "a y", "A z", "q " + OTHER, "p w");
        assertEquals(
                new Appearance(event.id(), Optional.empty(), List.of("y", "z", OTHER, "x")),
                ServedMeaning.appearance(event));
        var state = event(Kinds.STATE, "d a:b");
        assertEquals(
                Optional.of("30618:" + StoreSamples.author(1) + ":a:b"),
                ServedMeaning.appearance(state).address());
    }

    @Test
    void whatANewerVersionReplacedIsNotGone() {
        assertEquals(Optional.empty(), removed(Kinds.ANNOUNCEMENT, Reason.REPLACED));
        assertEquals(Optional.empty(), removed(Kinds.STATE, Reason.REPLACED));
        for (var reason : List.of(Reason.DELETED, Reason.EXPIRED, Reason.WITHDRAWN, Reason.BANNED, Reason.VANISHED)) {
            assertEquals(Optional.of(new Mutation.Unannounced(REPOSITORY)), removed(Kinds.ANNOUNCEMENT, reason));
            assertEquals(
                    Optional.of(new Mutation.StatesChanged(StoreSamples.author(1), "a:b")),
                    removed(Kinds.STATE, reason));
        }
    }

    /// Otherwise nobody would ask for what answers it, or for its deletion.
    @Test
    void remarksOnARepositoryItselfAreRoots() {
        for (int kind : List.of(Kinds.COMMENT, 1985)) {
            var remark = event(kind, "A " + REPOSITORY, "K 30617", "a " + REPOSITORY);
            assertEquals(
                    Optional.of(new Mutation.RootServed(remark.id(), 1_000, List.of(REPOSITORY))),
                    meaning.ofServed(remark));
            var answer = event(kind, "A " + REPOSITORY, "e " + remark.id());
            assertInstanceOf(
                    Mutation.MemberServed.class, meaning.ofServed(answer).orElseThrow());
        }
        assertEquals(Optional.empty(), meaning.ofServed(event(7, "a " + REPOSITORY)));
        assertEquals(Optional.empty(), meaning.ofServed(event(1, "a " + REPOSITORY)));
    }

    @Test
    void rootsAndMembersLeave() {
        assertEquals(Optional.of(new Mutation.Left(id(OTHER))), removed(1621, Reason.DELETED));
        assertEquals(Optional.of(new Mutation.Left(id(OTHER))), removed(30023, Reason.REPLACED));
        assertEquals(Optional.empty(), removed(7, Reason.DELETED));
    }

    private static Optional<Mutation> removed(int kind, Reason reason) {
        return ServedMeaning.ofRemoved(new Removal(id(OTHER), StoreSamples.author(1), kind, 1_000, "a:b", reason));
    }
}
