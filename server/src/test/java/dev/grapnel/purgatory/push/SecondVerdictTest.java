package dev.grapnel.purgatory.push;

import static dev.grapnel.purgatory.push.TriedPush.URL;
import static dev.grapnel.purgatory.push.TriedPush.announcing;
import static dev.grapnel.purgatory.push.TriedPush.oid;
import static dev.grapnel.purgatory.push.TriedPush.refs;
import static dev.grapnel.purgatory.push.TriedPush.shown;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.purgatory.push.Proposals.Finding;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What happens to a push when the world changes while its pack is read (service 6.7.4, purgatory P-318).
final class SecondVerdictTest {
    private static final String CHANGED = "authorisation failed: state changed during push, try again";
    private static final String MAIN = "main 1>3";
    private static final String THREES = "3".repeat(40);

    /// The repository has `main` at 1, `dev` at 2, and Ann's state of time 10 unless the row says otherwise.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            what                                          | held before                        | held after                         | served after  | refs after    | result
            nothing                                       | ann 11 main=3                      | ann 11 main=3                      | ann 10 main=1 | main=1 dev=2  | ok 11
            the same state was released: void             | ann 11 main=3                      | -                                  | ann 11 main=3 | main=3        | ok void
            it was released, refs not aligned yet         | ann 11 main=3                      | -                                  | ann 11 main=3 | main=1 dev=2  | ok 11
            another one was released                      | ann 11 main=3                      | ann 11 main=3                      | bob 12 main=1 | main=1        | changed
            it was deleted                                | ann 11 main=3                      | -                                  | ann 10 main=1 | main=1 dev=2  | changed
            it was deleted, an older one matches          | ann 11 main=3 dev=2; bob 12 main=3 | ann 11 main=3 dev=2                | ann 10 main=1 | main=1 dev=2  | changed
            a newer one that matches came                 | ann 11 main=3 dev=2                | ann 11 main=3 dev=2; bob 12 main=3 | ann 10 main=1 | main=1 dev=2  | changed
            a newer one that does not match came          | ann 11 main=3                      | ann 11 main=3; bob 12 main=4       | ann 10 main=1 | main=1 dev=2  | ok 11
            a newer empty one came and waits              | ann 11 main=3                      | ann 11 main=3; bob 12              | ann 10 main=1 | main=1 dev=2  | changed
            the ref moved                                 | ann 11 main=3                      | ann 11 main=3                      | ann 10 main=1 | main=5 dev=2  | changed
            another ref moved                             | ann 11 main=3                      | ann 11 main=3                      | ann 10 main=1 | main=1        | ok 11
            hope was in vain                              | ann 11 main=3 new=4                | ann 11 main=3 new=4                | ann 10 main=1 | main=1 dev=2  | doesn't match push (refs/heads/new missing (state declares 44444444))
            hope was in vain, an older one is complete    | ann 11 main=3; bob 12 main=3 new=4 | ann 11 main=3; bob 12 main=3 new=4 | ann 10 main=1 | main=1 dev=2  | ok 11
            hoped-for one went, an older one is complete  | ann 11 main=3; bob 12 main=3 new=4 | ann 11 main=3                      | ann 10 main=1 | main=1 dev=2  | changed
            hoped-for one went                            | ann 11 main=3 new=4                | -                                  | ann 10 main=1 | main=1 dev=2  | changed
            hope was in vain, a newer complete one came   | ann 11 main=3 new=4                | ann 11 main=3 new=4; bob 12 main=3 | ann 10 main=1 | main=1 dev=2  | changed
            """, useHeadersInDisplayName = true)
    void onlyHarmlessChangesLeaveThePushAllowed(
            String what, String before, String after, String served, String refs, String result) {
        var first = new TriedPush(MAIN).held(before);
        var then = new TriedPush(MAIN).held(after).served(served).refs(refs(refs));
        var shown = shown(first.judge(then));
        var expected = result.equals("changed") ? CHANGED : result;
        assertEquals(
                true,
                expected.startsWith("ok") ? shown.equals(expected) : shown.endsWith(expected),
                what + ": " + shown);
    }

    @Test
    void hopedForObjectsThatCameMakeTheMatchComplete() {
        var push = new TriedPush(MAIN).held("ann 11 main=3 new=4").bringing("4");
        assertEquals("ok 11 perhaps", shown(push.judge(Stage.BEFORE_PACK)));
        assertEquals("ok 11", shown(push.judge()));
    }

    @Test
    void whatWasVoidAndIsNotAnyMoreHasChanged() {
        var first = new TriedPush("main 1>1");
        assertEquals(CHANGED, shown(first.judge(new TriedPush("main 1>1").refs(refs("main=5")))));
        var allowedNow = new TriedPush("main 1>1").refs(refs("main=5 dev=2"));
        assertEquals(CHANGED, shown(first.judge(allowedNow)));
        var realisable = new TriedPush("main 0>1").refs(refs("-"));
        assertEquals(CHANGED, shown(new TriedPush("main 0>1").judge(realisable)));
    }

    @Test
    void authorWhoIsNoMaintainerAnyMoreAllowsNothing() {
        var first = new TriedPush(MAIN).held("bob 11 main=3");
        assertEquals("ok 11", shown(first.judge()));
        assertEquals(
                CHANGED,
                shown(first.judge(new TriedPush(MAIN).held("bob 11 main=3").announced(announcing("ann")))));
        assertEquals(
                CHANGED,
                shown(first.judge(new TriedPush(MAIN).held("bob 11 main=3").standing(Standing.WITHDRAWN))));
    }

    @Test
    void proposalMayGainBackingButNotLoseIt() {
        Finding unknown = new Finding.Unknown();
        Finding placeholder = new Finding.Placeholder(oid("3"));
        Finding event = new Finding.Proposed(THREES);
        assertEquals("ok", after(unknown, unknown));
        assertEquals("ok", after(unknown, event));
        assertEquals("ok", after(unknown, placeholder));
        assertEquals("ok", after(placeholder, event));
        assertEquals(CHANGED, after(placeholder, unknown));
        assertEquals(CHANGED, after(event, unknown));
        assertEquals(CHANGED, after(event, placeholder));
        assertEquals(CHANGED, after(unknown, new Finding.Placeholder(oid("4"))));
        assertEquals(CHANGED, after(unknown, new Finding.Proposed("4".repeat(40))));
        assertEquals(CHANGED, after(event, new Finding.Deleted()));
        assertEquals(CHANGED, after(unknown, new Finding.OtherKind()));
    }

    private static String after(Finding before, Finding then) {
        return shown(new TriedPush("pr7 0>3").known("7", before).judge(new TriedPush("pr7 0>3").known("7", then)));
    }

    @Test
    void clientIsToldWhatIsTrueByNowAndHowToRepeatThePush() {
        var commands = "main 1>3, dev 2>0, pr7 0>3";
        var first = new TriedPush(commands).held("ann 11 main=3");
        var refused = assertInstanceOf(PushJudgement.Refused.class, first.judge(new TriedPush(commands)))
                .verdict();
        assertEquals(Set.of("refs/heads/main", "refs/heads/dev"), refused.refs());
        assertEquals(
                List.of(
                        "by now: authorisation failed: No state events in purgatory",
                        "hint: git push " + URL + " refs/heads/main :refs/heads/dev " + THREES + ":refs/nostr/"
                                + "7".repeat(64)),
                refused.words());
    }

    @Test
    void onlyTheProposalThatLostItsEventIsToBlame() {
        var commands = "main 1>3, pr7 0>3, pr8 0>3";
        var first = new TriedPush(commands).held("ann 11 main=3").known("7", new Finding.Proposed(THREES));
        var then = new TriedPush(commands).held("ann 11 main=3");
        var refused =
                assertInstanceOf(PushJudgement.Refused.class, first.judge(then)).verdict();
        assertEquals(Set.of("refs/nostr/" + "7".repeat(64)), refused.refs());
    }
}
