package dev.grapnel.purgatory.push;

import static dev.grapnel.purgatory.push.TriedPush.announcing;
import static dev.grapnel.purgatory.push.TriedPush.id;
import static dev.grapnel.purgatory.push.TriedPush.key;
import static dev.grapnel.purgatory.push.TriedPush.oid;
import static dev.grapnel.purgatory.push.TriedPush.shown;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.purgatory.push.Proposals.Finding;
import dev.grapnel.purgatory.push.PushJudgement.Allowed;
import dev.grapnel.purgatory.push.PushJudgement.Backing;
import dev.grapnel.purgatory.push.PushJudgement.ProposalPush;
import dev.grapnel.purgatory.push.PushJudgement.Refused;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commits pushed for pull requests (service 6.4, purgatory R8 to R12).
final class ProposalPushTest {
    private static final String PREFIX = "authorisation failed: ";
    private static final String SEVENS = "7".repeat(64);
    private static final String FOURS = "4".repeat(40);
    private static final String THREES = "3".repeat(40);

    /// R8.
    @Test
    void anyCommitIsTakenForAnEventNobodyKnows() {
        assertEquals(
                List.of(backed(Backing.UNSIGNED)),
                allowed(new TriedPush("pr7 0>3")).proposals());
        assertEquals(
                List.of(backed(Backing.UNSIGNED)),
                allowed(new TriedPush("pr7 0>3")).unsigned());
    }

    /// R9.
    @Test
    void secondPushOfTheSameCommitIsTakenAndOfAnotherRefused() {
        var same = new TriedPush("pr7 0>3").known("7", new Finding.Placeholder(oid("3")));
        assertEquals(List.of(backed(Backing.PLACEHOLDER)), allowed(same).proposals());
        assertEquals(List.of(), allowed(same).unsigned());
        assertEquals(
                PREFIX + "ref refs/nostr/" + SEVENS + " already holds a different commit",
                shown(new TriedPush("pr7 0>3")
                        .known("7", new Finding.Placeholder(oid("4")))
                        .judge()));
    }

    /// R10.
    @Test
    void commitThatTheEventNamesIsTaken() {
        var push = new TriedPush("pr7 0>3").known("7", new Finding.Proposed(THREES));
        assertEquals(List.of(backed(Backing.EVENT)), allowed(push).proposals());
    }

    /// R11.
    @Test
    void otherCommitThanTheEventNamesIsRefusedWithTheRightOne() {
        var refused = refused(new TriedPush("pr7 0>3").known("7", new Finding.Proposed(FOURS)));
        var verdict = refused.verdict();
        assertEquals(
                PREFIX + "PR event " + SEVENS + " specifies commit " + FOURS + ", but push contains " + THREES,
                verdict.reason());
        assertEquals(
                List.of("hint: git push " + TriedPush.URL + " " + FOURS + ":refs/nostr/" + SEVENS), verdict.words());
    }

    /// Ids of sixty-four digits may stand in events; none can be here.
    @ParameterizedTest
    @ValueSource(strings = {"3333333333333333333333333333333333333333333333333333333333333333", "ABCDEF"})
    void commitIsComparedAsWritten(String commit) {
        var push = new TriedPush("pr7 0>3").known("7", new Finding.Proposed(commit));
        assertEquals(
                PREFIX + "PR event " + SEVENS + " specifies commit " + commit + ", but push contains " + THREES,
                shown(push.judge()));
    }

    /// R12.
    @Test
    void proposalIsNeverDeletedByAPush() {
        for (var finding :
                List.of(new Finding.Unknown(), new Finding.Placeholder(oid("3")), new Finding.Proposed(THREES))) {
            assertEquals(
                    PREFIX + "refs/nostr refs cannot be deleted by push",
                    shown(new TriedPush("pr7 3>0").known("7", finding).judge()));
        }
    }

    @Test
    void eventOfAnotherKindIsNoProposal() {
        assertEquals(
                PREFIX + "event " + SEVENS + " is not a pull request",
                shown(new TriedPush("pr7 0>3")
                        .known("7", new Finding.OtherKind())
                        .judge()));
    }

    @Test
    void deletedEventTakesNoCommit() {
        assertEquals(
                PREFIX + "event " + SEVENS + " was deleted",
                shown(new TriedPush("pr7 0>3").known("7", new Finding.Deleted()).judge()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refs/nostr/123",
                "refs/nostr/",
                "refs/nostr/77777777777777777777777777777777777777777777777777777777777777777",
                "refs/nostr/A777777777777777777777777777777777777777777777777777777777777777",
                "refs/nostr/7777777777777777777777777777777777777777777777777777777777777777/x"
            })
    void nameMustBeAnEventId(String ref) {
        assertEquals(PREFIX + "Invalid event ID format in ref: " + ref, shown(new TriedPush(ref + " 0>3").judge()));
        assertEquals(PREFIX + "Invalid event ID format in ref: " + ref, shown(new TriedPush(ref + " 3>0").judge()));
    }

    @Test
    void nobodysMaintainersAreAsked() {
        var ended = announcing("ann", List.of(List.of("m", key("ann").toHex(), "1", "2")));
        assertEquals("ok", shown(new TriedPush("pr7 0>3").announced(ended).judge()));
        assertEquals(
                "ok void",
                shown(new TriedPush("pr7 0>3, main 1>1").announced(ended).judge()));
    }

    /// P-241.
    @Test
    void refusedBranchRefusesTheProposalToo() {
        var refused = refused(new TriedPush("pr7 0>3, main 1>3"));
        assertEquals(
                Map.of("refs/heads/main", PREFIX + "No state events in purgatory"),
                refused.verdict().reasons());
    }

    @Test
    void everyRefusedProposalIsToldItsOwnReason() {
        var refused =
                refused(new TriedPush("pr6 0>3, pr7 0>3, refs/nostr/1 0>3, pr8 0>3").known("7", new Finding.Deleted()));
        assertEquals(
                Map.of(
                        "refs/nostr/" + SEVENS,
                        PREFIX + "event " + SEVENS + " was deleted",
                        "refs/nostr/1",
                        PREFIX + "Invalid event ID format in ref: refs/nostr/1"),
                refused.verdict().reasons());
        assertEquals(
                PREFIX + "event " + SEVENS + " was deleted", refused.verdict().reason());
        assertEquals(
                List.of(PREFIX + "Invalid event ID format in ref: refs/nostr/1"),
                refused.verdict().words());
    }

    @Test
    void limitsOfUnsignedUploadsAreToldWordForWord() {
        assertEquals(PREFIX + "too many unmatched refs/nostr pushes", Reasons.TOO_MANY_UNMATCHED);
        assertEquals(
                PREFIX + "unsigned uploads from your address exceed 5 bytes: publish the event, or wait",
                Reasons.addressExceeds(5));
        assertEquals(
                PREFIX + "unsigned uploads here exceed 6 bytes in total: publish the event first, or wait",
                Reasons.totalExceeds(6));
    }

    private static ProposalPush backed(Backing backing) {
        return new ProposalPush(id("7"), oid("3"), backing);
    }

    private static Allowed allowed(TriedPush push) {
        return assertInstanceOf(Allowed.class, push.judge());
    }

    private static Refused refused(TriedPush push) {
        return assertInstanceOf(Refused.class, push.judge());
    }
}
