package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Proposals, patches, issues, statuses and lists of servers.
final class RelatedEventsTest {
    private static final String COMMIT = "c".repeat(40);
    private static final RepositoryAddress REPOSITORY = new RepositoryAddress(People.keyOf("A"), new Identifier("x"));
    private static final List<String> C = List.of("c", COMMIT);
    private static final List<String> A = List.of("a", REPOSITORY.toString());
    private static final String ID_1 = "1".repeat(64);
    private static final String ID_2 = "2".repeat(64);

    @Test
    void pullRequestIsRead() {
        var other = new RepositoryAddress(People.keyOf("B"), new Identifier("a:b"));
        var event = event(
                Kinds.PULL_REQUEST,
                A,
                List.of("a", other.toString(), "wss://relay"),
                List.of("a", REPOSITORY.toString()),
                List.of("a", "30618:" + People.keyOf("A") + ":x"),
                List.of("a", "30617:" + People.keyOf("A") + ":"),
                List.of("a", "30617:junk:x"),
                C,
                List.of("c", "d".repeat(40)),
                List.of("clone", "https://c1", "https://c2"),
                List.of("merge-base", "b".repeat(40)),
                List.of("branch-name", "feature"),
                List.of("subject", "Add feature"));
        var request = PullRequest.parse(event).require();
        assertEquals(List.of(REPOSITORY, other), request.repositories());
        assertEquals(COMMIT, request.commit());
        assertEquals(Oid.parse(COMMIT).find(), request.tip());
        assertEquals("refs/nostr/" + event.id(), request.ref().text());
        assertEquals(List.of("https://c1", "https://c2"), request.cloneUrls());
        assertEquals(Optional.of("b".repeat(40)), request.mergeBase());
        assertEquals(Optional.of("feature"), request.branchName());
        assertEquals(Optional.of("Add feature"), request.subject());
    }

    @Test
    void updateNamesItsPullRequest() {
        var e = List.of("e", ID_1);
        var upper = List.of("E", ID_2);
        var both = PullRequestUpdate.parse(event(Kinds.PULL_REQUEST_UPDATE, C, e, upper, List.of("E", "junk")))
                .require();
        assertEquals(EventId.parse(ID_2).find(), both.pullRequest());
        assertEquals(List.of(EventId.parse(ID_2).require(), EventId.parse(ID_1).require()), both.references());
        var fallback =
                PullRequestUpdate.parse(event(Kinds.PULL_REQUEST_UPDATE, C, e)).require();
        assertEquals(EventId.parse(ID_1).find(), fallback.pullRequest());
        assertEquals(List.of(), fallback.repositories());
    }

    @Test
    void proposalNeedsACommit() {
        for (int kind : new int[] {Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE}) {
            assertEquals("no c tag", reason(kind, A));
            assertEquals("c tag is not a commit id", reason(kind, List.of("c"), C));
            for (var bad : List.of("", "abc123", "c".repeat(41), "g".repeat(40), "c".repeat(63))) {
                assertEquals("c tag is not a commit id", reason(kind, List.of("c", bad), C), bad);
            }
        }
    }

    @Test
    void commitThatCanNeverBeHereIsAcceptedWithoutATip() {
        for (var commit : List.of("c".repeat(64), COMMIT.toUpperCase(Locale.ROOT))) {
            var request = PullRequest.parse(event(Kinds.PULL_REQUEST, List.of("c", commit)))
                    .require();
            assertEquals(commit, request.commit());
            assertEquals(Optional.empty(), request.tip());
        }
    }

    @Test
    void patchAndIssueNameTheirRepository() {
        var patch = Patch.parse(event(Kinds.PATCH, A, List.of("t", "root"), List.of("commit", COMMIT)))
                .require();
        assertEquals(List.of(REPOSITORY), patch.repositories());
        assertEquals(true, patch.isRoot());
        assertEquals(false, patch.isRevision());
        assertEquals(Optional.of(COMMIT), patch.commit());
        assertEquals(
                true,
                Patch.parse(event(Kinds.PATCH, List.of("t", "root-revision")))
                        .require()
                        .isRevision());
        var issue = Issue.parse(event(Kinds.ISSUE, A, List.of("subject", "Broken"), List.of("t", "bug")))
                .require();
        assertEquals(List.of(REPOSITORY), issue.repositories());
        assertEquals(Optional.of("Broken"), issue.subject());
        assertEquals(List.of("bug"), issue.topics());
    }

    @Test
    void statusSaysWhichAndOfWhat() {
        var meanings =
                List.of(Status.Meaning.OPEN, Status.Meaning.APPLIED, Status.Meaning.CLOSED, Status.Meaning.DRAFT);
        for (int i = 0; i < 4; i++) {
            var status = Status.parse(event(1630 + i, A, List.of("e", ID_1))).require();
            assertEquals(meanings.get(i), status.meaning());
            assertEquals(EventId.parse(ID_1).find(), status.target());
            assertEquals(List.of(REPOSITORY), status.repositories());
        }
        var marked = event(1631, List.of("e", ID_1, "", "mention"), List.of("e", ID_2, "", "root"));
        assertEquals(EventId.parse(ID_2).find(), Status.parse(marked).require().target());
        assertEquals(Optional.empty(), Status.parse(event(1631)).require().target());
    }

    @Test
    void firstHundredServersOfAListCount() {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("t", "x"));
        tags.add(List.of("g"));
        IntStream.range(0, 150).forEach(i -> tags.add(List.of("g", "wss://g" + i)));
        var list = GraspList.parse(People.sign("A", Kinds.GRASP_LIST, 10, tags)).require();
        assertEquals(99, list.servers().size());
        assertEquals("wss://g0", list.servers().getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1616, 1620, 1629, 1634, 30617})
    void anotherKindIsNoneOfThem(int kind) {
        var event = event(kind, A, C);
        var kinds = List.<Parsed<?>>of(
                PullRequest.parse(event),
                PullRequestUpdate.parse(event),
                Patch.parse(event),
                Issue.parse(event),
                Status.parse(event),
                GraspList.parse(event),
                RepositoryState.parse(event));
        for (var parsed : kinds) {
            var reason = ((Parsed.Invalid<?>) parsed).reason();
            assertEquals(true, reason.startsWith("kind " + kind + " is not a"), reason);
        }
        assertThrows(IllegalArgumentException.class, () -> new Issue(event));
        assertThrows(IllegalArgumentException.class, () -> new Status(event, Status.Meaning.OPEN));
    }

    @SafeVarargs
    private static String reason(int kind, List<String>... tags) {
        var event = event(kind, tags);
        var parsed = kind == Kinds.PULL_REQUEST ? PullRequest.parse(event) : PullRequestUpdate.parse(event);
        return ((Parsed.Invalid<?>) parsed).reason();
    }

    @SafeVarargs
    private static Event event(int kind, List<String>... tags) {
        return People.sign("A", kind, 10, People.tags(tags));
    }
}
