package dev.grapnel.purgatory.push;

import static dev.grapnel.purgatory.push.TriedPush.announcing;
import static dev.grapnel.purgatory.push.TriedPush.refs;
import static dev.grapnel.purgatory.push.TriedPush.shown;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which pushes signed states allow. Unless it says otherwise the repository has `main` at 1 and `dev` at 2, and
/// Ann's state of time 10, which is served, says so.
final class PushMatchTest {
    private static final String NOTHING_HELD = "authorisation failed: No state events in purgatory";
    private static final String NO_MATCH = "authorisation failed: 1 state event(s) in purgatory from authorized"
            + " publisher(s) but doesn't match push (";

    /// Service A.3, row by row. Those rows that are about events only are not here.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            held                                     | push               | result
            ann 11 main=3 dev=2                      | main 1>3           | ok 11
            ann 11 main=3                            | main 1>3           | ok 11
            ann 11 main=3                            | main 1>3, dev 2>0  | ok 11
            ann 11 main=3 dev=4                      | main 1>3           | refs/heads/dev missing (state declares 44444444)
            ann 11 main=3 v1=5 v1^{}=3               | main 1>3, v1 0>5   | ok 11
            ann 11 main=3; ann 12 main=4             | main 1>3           | ok 11
            dan 11 main=3                            | main 1>3           | none from authorized publishers
            -                                        | main 1>1           | ok void
            -                                        | main 1>3           | No state events in purgatory
            ann 11 main=3 HEAD=@dev                  | main 1>3           | ok 11
            cat 11 main=3                            | main 1>3           | (<cat> is invited, not confirmed)
            """, useHeadersInDisplayName = true)
    void pushesOfTheWorkedExamplesEndAsWritten(String held, String push, String result) {
        assertEnds(result, new TriedPush(push).held(held));
    }

    @Test
    void stateOlderThanTheServedOneAllowsNothing() {
        assertEnds("superseded by newer state", new TriedPush("main 1>3").held("ann 9 main=3"));
        assertEnds("superseded by newer state", new TriedPush("main 1>3").held("bob 9 main=3; ann 8 main=3"));
    }

    @Test
    void missingObjectInThePoolNeedNotBePushed() {
        assertEnds(
                "ok 11", new TriedPush("main 1>3").held("ann 11 main=3 dev=4").here("4"));
        assertEnds(
                "ok 11", new TriedPush("main 1>3").held("ann 11 main=3 dev=4").bringing("4"));
    }

    @Test
    void whileAnEmptyStateIsServedABranchNeedsAnother() {
        var push = new TriedPush("main 0>3").refs(refs("-")).served("ann 11");
        assertEnds(NOTHING_HELD, push);
        assertEnds("ok 12", push.held("ann 12 main=3"));
        assertEnds(
                "ok 12",
                new TriedPush("main 0>1").refs(refs("-")).served("ann 11").held("ann 12 main=1"));
    }

    /// Service 6.8, as far as refs of branches and tags go.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            held                         | push                       | result
            -                            | main 1>1, dev 2>2          | ok void
            -                            | main 7>1, gone 7>0         | ok void
            ann 11 main=3 dev=2          | main 1>3, new 0>4          | refs/heads/new is pushed but not declared in the state
            ann 11 main=1 a=3 b=4        | a 0>3                      | refs/heads/b missing (state declares 44444444)
            ann 11 main=1 v1=3 v1^{}=1   | v1 0>3                     | ok 11
            ann 11 main=1                | dev 2>0                    | ok 11
            ann 11 main=3 dev=2          | main 1>3, refs/notes/x 0>4 | ref refs/notes/x is outside refs/heads/
            ann 11 main=3 dev=2          | main 1>3, pr7 0>4          | ok 11
            ann 11 main=3 dev=2          | main 1>3, refs/nostr/123 0>4 | Invalid event ID format in ref: refs/nostr/123
            ann 9 main=3                 | main 1>3                   | superseded by newer state
            ann 11 main=3; bob 12 main=4 | main 1>3                   | ok 11
            """, useHeadersInDisplayName = true)
    void specialCasesEndAsWritten(String held, String push, String result) {
        assertEnds(result, new TriedPush(push).held(held));
    }

    /// Purgatory 11, rows 51 to 60.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            held                               | here | push              | result
            ann 11 main=3 dev=4                | -    | main 1>3, dev 2>4 | ok 11
            ann 11 main=3 dev=2                | -    | main 1>3          | ok 11
            ann 11 main=3 dev=2 new=5          | 5    | main 1>3          | ok 11
            ann 11 main=3 dev=2 new=5          | -    | main 1>3          | refs/heads/new missing (state declares 55555555)
            ann 11 main=4                      | -    | main 1>3          | refs/heads/main would be at 33333333 but state declares 44444444
            ann 11 main=3 dev=2                | -    | main 1>3, dev 2>0 | refs/heads/dev is declared in the state but the push deletes it
            ann 11 main=3                      | -    | main 1>3          | ok 11
            ann 11 main=1                      | -    | dev 2>0           | ok 11
            ann 11                             | -    | main 1>0, dev 2>0 | ok 11
            ann 11                             | -    | main 1>0          | ok 11
            ann 11                             | -    | main 1>3          | refs/heads/main is pushed but not declared in the state
            ann 11 main=3 dev=@main            | -    | main 1>3          | ok 11
            ann 11 main=3 dev=@main            | -    | main 1>3, dev 2>3 | refs/heads/dev is pushed but not declared in the state
            ann 11 main=3 dev=@main            | -    | main 1>3, dev 2>0 | refs/heads/dev is declared in the state but the push deletes it
            ann 11 main=3 dev=2; bob 12 main=3 | -    | main 1>3          | ok 12
            ann 12 main=3 dev=2; bob 11 main=3 | -    | main 1>3          | ok 12
            bob 11; ann 10 main=3              | -    | main 1>3          | superseded by newer state
            bob 11; ann 12 main=3              | -    | main 1>3          | ok 12
            ann 11 main=3                      | -    | main 1>3, dev 2>2 | refs/heads/dev is pushed but not declared in the state
            ann 11 main=3 old=abc123           | -    | main 1>3          | refs/heads/old missing (state declares abc123)
            ann 11 main=abc123                 | -    | main 1>3          | refs/heads/main would be at 33333333 but state declares abc123
            """, useHeadersInDisplayName = true)
    void pushMatchesWhenItContradictsNothingAndCompletesTheObjects(
            String held, String here, String push, String result) {
        assertEnds(result, new TriedPush(push).held(held).here(here));
    }

    @ParameterizedTest
    @CsvSource({"refs/notes/x", "refs/pull/1", "HEAD", "refs/tags/v1^{}", "refs/heads", "refs/remotes/origin/main"})
    void otherRefsRefuseTheWholePush(String ref) {
        assertEnds(
                "ref " + ref + " is outside refs/heads/, refs/tags/ and refs/nostr/",
                new TriedPush("main 1>3, " + ref + " 0>3").held("ann 11 main=3"));
    }

    @Test
    void stateThatAnotherOwnerObeysAllowsNothingHere() {
        var push = new TriedPush("main 1>3")
                .announced(announcing("ann"), announcing("dan", "bob"), announcing("bob", "dan"))
                .held("bob 11 main=3");
        assertEnds("1 state event(s) in purgatory but none from authorized publishers", push);
    }

    @Test
    void pushThatRestoresLostObjectsOfTheServedStateIsAllowed() {
        var push = new TriedPush("main 0>1, dev 0>2").refs(refs("-")).lost("1 2");
        assertEnds("ok 10", push);
        assertEnds(NOTHING_HELD, new TriedPush("main 0>1").refs(refs("-")).lost("1 2"));
    }

    @Test
    void whoeverDoesNotKnowWhatItReplacesFetchesFirst() {
        assertEnds("fetch first: refs/heads/main is at 11111111", new TriedPush("main 7>3").held("ann 11 main=3"));
        assertEnds("fetch first: refs/heads/new is at 00000000", new TriedPush("new 7>3").held("ann 11 new=3"));
        assertEnds("fetch first: refs/heads/main is at 11111111", new TriedPush("main 0>3"));
    }

    @Test
    void matchIsProvisionalWhileAPackMayBringWhatIsMissing() {
        var push = new TriedPush("main 1>3").held("ann 11 main=3 dev=4");
        assertEquals("ok 11 perhaps", shown(push.judge(Stage.BEFORE_PACK)));
        assertEnds(NO_MATCH + "refs/heads/dev missing (state declares 44444444))", push);
        var deletion = new TriedPush("dev 2>0").held("ann 11 main=1 new=4");
        assertEquals(
                NO_MATCH + "refs/heads/new missing (state declares 44444444))",
                shown(deletion.judge(Stage.BEFORE_PACK)));
    }

    @Test
    void provisionalMatchThatStaysIncompleteGivesWayToAnOlderCompleteOne() {
        var push = new TriedPush("main 1>3").held("ann 11 main=3; bob 12 main=3 dev=4");
        assertEquals("ok 12 perhaps", shown(push.judge(Stage.BEFORE_PACK)));
        assertEnds("ok 11", push);
    }

    /// A newer state that the pack happens to complete has its turn afterwards.
    @Test
    void newerStateThatThePackCompletesDoesNotStandInTheWay() {
        assertEnds(
                "ok 11",
                new TriedPush("main 1>3").held("ann 11 main=3; bob 12 main=4").bringing("4"));
    }

    @Test
    void stateWhoseBranchNamesNoCommitNeverMatches() {
        assertEnds(
                NO_MATCH + "refs/heads/dev is a branch but the state declares 99999999, which is no commit)",
                new TriedPush("main 1>3").held("ann 11 main=3 dev=9").here("9").noCommits("9"));
        assertEnds(
                "ok 11",
                new TriedPush("main 1>3").held("ann 11 main=3 v1=9").here("9").noCommits("9"));
        assertEnds(
                NO_MATCH + "refs/heads/dev is a branch but the state declares 99999999, which is no commit)",
                new TriedPush("main 1>3")
                        .held("ann 11 main=3 dev=9")
                        .bringing("9")
                        .noCommits("9"));
    }

    @Test
    void pushOfNothingIsAllowed() {
        var none = new TriedPush("main 1>1").standing(Standing.WITHDRAWN);
        assertEquals("ok", shown(PushJudge.judge(List.of(), none.scene(Stage.BEFORE_PACK), Stage.BEFORE_PACK)));
    }

    private static void assertEnds(String expected, TriedPush push) {
        var shown = shown(push.judge());
        assertEquals(true, expected.startsWith("ok") ? shown.equals(expected) : shown.contains(expected), shown);
    }
}
