package dev.grapnel.purgatory.push;

import static dev.grapnel.purgatory.push.TriedPush.URL;
import static dev.grapnel.purgatory.push.TriedPush.announcing;
import static dev.grapnel.purgatory.push.TriedPush.key;
import static dev.grapnel.purgatory.push.TriedPush.refs;
import static dev.grapnel.purgatory.push.TriedPush.shownText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.git.push.PushVerdict;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.purgatory.push.Proposals.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What whoever is refused reads: the reason, every difference, a command (service 6.3, 6.6, 6.9).
final class RefusalTest {
    private static final String PREFIX = "authorisation failed: ";
    private static final String NOSTR = "hint: git push nostr://<ann>/git.example.com/x ";
    private static final String FETCH = "hint: git fetch " + URL;

    @ParameterizedTest
    @EnumSource
    void repositoryThatTakesNoPushesSaysWhy(Standing standing) {
        var push = new TriedPush("main 1>1, pr7 0>3").standing(standing);
        var expected = switch (standing) {
            case HOSTED -> "ok void";
            case READ_ONLY_ARCHIVE -> PREFIX + "this service is a read-only archive";
            case WITHDRAWN -> PREFIX + "repository announcement no longer lists this service";
            case UNANNOUNCED -> PREFIX + "No repository announcement found for owner <ann>";
        };
        assertEquals(expected, TriedPush.shown(push.judge()));
        if (standing != Standing.HOSTED) {
            assertEquals(2, refused(push).reasons().size(), "all are to blame");
            assertEquals(List.of(), refused(push).words());
        }
    }

    @Test
    void reasonsAreCheckedInTheirOrder() {
        var all = "refs/notes/x 0>3, refs/nostr/1 0>3, main 7>3";
        assertEquals(
                "ref refs/notes/x is outside refs/heads/, refs/tags/ and refs/nostr/",
                reason(new TriedPush(all).announced().standing(Standing.WITHDRAWN)));
        var inside = "refs/nostr/1 0>3, main 7>3";
        assertEquals(
                PREFIX + "repository announcement no longer lists this service",
                reason(new TriedPush(inside).announced().standing(Standing.WITHDRAWN)));
        assertEquals(
                PREFIX + "No authorized maintainers found: no announcement", reason(new TriedPush(inside).announced()));
        assertEquals(PREFIX + "Invalid event ID format in ref: refs/nostr/1", reason(new TriedPush(inside)));
        assertEquals("fetch first: refs/heads/main is at 11111111", reason(new TriedPush("pr7 0>3, main 7>3")));
    }

    @Test
    void withoutMaintainersTheCauseIsNamed() {
        var ended = announcing("ann", List.of(List.of("m", key("ann").toHex(), "1", "2")));
        assertNoMaintainers("owner has ended its own role", ended);
        var leadGone = announcing("ann", List.of(List.of("M", key("bob").toHex())));
        assertNoMaintainers("lead <bob> has no announcement here", leadGone);
    }

    private static void assertNoMaintainers(String cause, Announcement announcement) {
        var push = new TriedPush("main 1>3, dev 2>2").announced(announcement).held("ann 11 main=3");
        assertEquals(PREFIX + "No authorized maintainers found: " + cause, reason(push));
        assertEquals(Set.of("refs/heads/main"), refused(push).refs());
        assertEquals(List.of("hint: ngit repo"), words(push));
        assertEquals(
                "ok void",
                TriedPush.shown(
                        new TriedPush("main 1>1").announced(announcement).judge()));
    }

    /// Service 6.6. Eight digits of an id are written as `*`.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            served        | held                          | push     | reason
            ann 10 main=1 | -                             | main 1>3 | No state events in purgatory
            -             | -                             | main 1>3 | No state events in purgatory
            -             | dan 11 main=3                 | main 1>3 | 1 state event(s) in purgatory but none from authorized publishers
            -             | dan 11 main=3; cat 12 main=3  | main 1>3 | 2 state event(s) in purgatory but none from authorized publishers (<cat> is invited, not confirmed)
            ann 10 main=1 | ann 9 main=3; dan 12 main=3   | main 1>3 | state event superseded by newer state * of 10
            ann 10 main=1 | ann 11; bob 10 main=3         | main 1>3 | state event superseded by newer state * of 11
            -             | ann 11; bob 10 main=3         | main 1>3 | state event superseded by newer state * of 11
            ann 10 main=1 | ann 11                        | main 1>3 | 1 state event(s) in purgatory from authorized publisher(s) but doesn't match push (refs/heads/main is pushed but not declared in the state)
            ann 10 main=1 | ann 9 main=3; bob 12 main=4   | main 1>3 | 2 state event(s) in purgatory from authorized publisher(s) but doesn't match push (refs/heads/main would be at 33333333 but state declares 44444444)
            ann 10 main=1 | bob 11 main=5; ann 12 main=4; dan 13 main=3 | main 1>3 | 2 state event(s) in purgatory from authorized publisher(s) but doesn't match push (refs/heads/main would be at 33333333 but state declares 44444444)
            -             | ann 11 main=4 b=5 c=6         | main 1>3 | 1 state event(s) in purgatory from authorized publisher(s) but doesn't match push (refs/heads/main would be at 33333333 but state declares 44444444; refs/heads/b missing (state declares 55555555); refs/heads/c missing (state declares 66666666))
            -             | ann 11 b=5 c=6 dev=4          | main 1>3, c 0>7, dev 2>0 | 1 state event(s) in purgatory from authorized publisher(s) but doesn't match push (refs/heads/main is pushed but not declared in the state; refs/heads/c would be at 77777777 but state declares 66666666; refs/heads/dev is declared in the state but the push deletes it)
            """, useHeadersInDisplayName = true)
    void reasonSaysWhichStatesThereAreAndWhyNoneMatches(String served, String held, String push, String reason) {
        var tried = new TriedPush(push).served(served).held(held);
        assertEquals(PREFIX + reason, reason(tried).replaceAll("state [0-9a-f]{8} of", "state * of"));
    }

    @Test
    void supersedingStateIsNamed() {
        var id = TriedPush.state("ann 10 main=1").event().id().toHex();
        assertEquals(
                PREFIX + "state event superseded by newer state " + id.substring(0, 8) + " of 10",
                reason(new TriedPush("main 1>3").served("ann 10 main=1").held("ann 9 main=3")));
    }

    /// Service 6.9: which command helps.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            held                | push                       | hint
            -                   | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            -                   | main 1>3, v1 0>3, dev 2>0  | git push nostr://<ann>/git.example.com/x main refs/tags/v1 :refs/heads/dev
            -                   | main 1>3, dev 2>2          | git push nostr://<ann>/git.example.com/x main
            dan 11 main=3       | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            ann 11 dev=2        | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            ann 11 main=4       | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            ann 11 main=1 dev=2 | dev 2>0                    | git push nostr://<ann>/git.example.com/x :refs/heads/dev
            ann 11 main=4 new=5 | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            ann 11 main=3 n=abc | main 1>3                   | git push nostr://<ann>/git.example.com/x main
            ann 11 main=3 z=5 b=6 v1=7 | main 1>3, dev 2>0   | git push https://git.example.com/npub1ann/x.git refs/heads/b refs/heads/main refs/heads/z refs/tags/v1
            ann 11 main=3       | main 7>3                   | git fetch https://git.example.com/npub1ann/x.git
            ann 9 main=3        | main 1>3                   | git fetch https://git.example.com/npub1ann/x.git
            -                   | main 1>3, refs/notes/x 0>3, dev 2>0 | git push https://git.example.com/npub1ann/x.git refs/heads/main :refs/heads/dev
            cat 11 main=3       | main 1>3                   | ngit repo
            cat 11 main=3; dan 12 main=3 | main 1>3          | git push nostr://<ann>/git.example.com/x main
            """, useHeadersInDisplayName = true)
    void lastLineIsTheCommandThatHelps(String held, String push, String hint) {
        assertEquals("hint: " + hint, words(new TriedPush(push).held(held)).getLast());
    }

    @Test
    void refOutsideWithNothingElseHasNoCommandToOffer() {
        assertEquals(List.of(), words(new TriedPush("refs/notes/x 0>3")));
    }

    @Test
    void onlyRefsThatDifferAreToBlame() {
        var push = new TriedPush("main 1>3, new 0>4, dev 2>2, pr7 0>4").held("ann 11 main=3 dev=2");
        assertEquals(Set.of("refs/heads/new"), refused(push).refs());
        var missing = new TriedPush("main 1>3, dev 2>2").held("ann 11 main=3 dev=2 new=5");
        assertEquals(Set.of("refs/heads/main"), refused(missing).refs());
        var stale = new TriedPush("main 7>3, dev 2>4, new 7>5").held("ann 11 main=3 dev=4 new=5");
        assertEquals(
                List.of("fetch first: refs/heads/main is at 11111111", "fetch first: refs/heads/new is at 00000000"),
                List.copyOf(refused(stale).reasons().values()));
        assertEquals(List.of("fetch first: refs/heads/new is at 00000000", FETCH), words(stale));
    }

    @Test
    void everyDifferenceIsTold() {
        var push = new TriedPush("main 1>3, new 0>4, dev 2>0").held("ann 11 main=5 dev=2 a=6 b=7");
        assertEquals(
                List.of(
                        "refs/heads/main would be at 33333333 but state declares 55555555",
                        "refs/heads/new is pushed but not declared in the state",
                        "refs/heads/dev is declared in the state but the push deletes it",
                        "refs/heads/a missing (state declares 66666666)",
                        "refs/heads/b missing (state declares 77777777)",
                        NOSTR + "main new :refs/heads/dev"),
                words(push));
    }

    @Test
    void differencesToTheGoverningStateAreToldWhenNothingWaits() {
        assertEquals(
                List.of("refs/heads/main would be at 33333333 but state declares 11111111", NOSTR + "main"),
                words(new TriedPush("main 1>3")));
    }

    @Test
    void emptyStateIsExplained() {
        var id = TriedPush.state("ann 11").event().id().toHex().substring(0, 8);
        assertEquals(
                List.of(
                        "state " + id + " of 11 is empty: its author wants neither branches nor tags here",
                        "refs/heads/main is pushed but not declared in the state",
                        NOSTR + "main"),
                words(new TriedPush("main 0>3").refs(refs("-")).served("ann 11")));
    }

    @Test
    void fiftyDifferencesAreToldAndTheRestIsCounted() {
        var exact = words(new TriedPush("main 1>3").held("ann 11" + numbered(50)));
        assertEquals(52, exact.size());
        var more = words(new TriedPush("main 1>3").held("ann 11" + numbered(72)));
        assertEquals("... and 23 more", more.get(50));
        assertEquals(52, more.size());
        var outside = words(new TriedPush(
                IntStream.range(0, 60).mapToObj(i -> "refs/notes/" + i + " 0>3").collect(Collectors.joining(", "))));
        assertEquals("... and 9 more", outside.get(50));
    }

    private static String numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> " b" + i + "=5").collect(Collectors.joining());
    }

    @Test
    void commandTooLongToCopyNamesAllBranchesAndTags() {
        var push = new TriedPush("main 1>3").held("ann 11 main=3" + numbered(400));
        assertEquals(
                "hint: git push " + URL + " 'refs/heads/*' 'refs/tags/*'",
                words(push).getLast());
    }

    /// Strangers choose names: none of them may do anything in a shell, or be more than a name to git.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            trunk        | trunk
            a/b-c_d.e1   | a/b-c_d.e1
            -f           | refs/heads/-f
            --mirror     | refs/heads/--mirror
            +main        | refs/heads/+main
            @            | refs/heads/@
            tag          | refs/heads/tag
            refs/heads/x/refs/y | x/refs/y
            refs/heads/refs/x | refs/heads/refs/x
            tags/v1      | refs/heads/tags/v1
            a$(id)       | 'refs/heads/a$(id)'
            a;id         | 'refs/heads/a;id'
            a'b          | 'refs/heads/a'\\''b'
            a`id`        | 'refs/heads/a`id`'
            a!b          | 'refs/heads/a!b'
            a&b          | 'refs/heads/a&b'
            größe        | 'refs/heads/größe'
            """)
    void commandsAreSafeToCopyWhateverNamesAreLike(String name, String word) {
        assertEquals(
                NOSTR + word, words(new TriedPush(name + " 0>3").served("-")).getLast());
        var full = ShellWord.quoted(TriedPush.ref(name));
        var push = new TriedPush(name + " 0>3").served("-").held("ann 11 main=4 " + name + "=3");
        assertEquals(
                Set.of("hint: git push " + URL, "refs/heads/main", full),
                Set.of(words(push).getLast().split(" (?=refs/|')", -1)));
    }

    @Test
    void identifierIsEncodedAndTheAddressQuoted() {
        var push = new TriedPush("main 1>3").called("my repo's é");
        assertEquals(
                "hint: git push nostr://<ann>/git.example.com/my%20repo%27s%20%C3%A9 main",
                words(push).getLast());
        assertEquals(
                "hint: git fetch 'http://h/a&b'",
                words(new TriedPush("main 7>3").at("http://h/a&b")).getLast());
    }

    /// A value of a state that is no object id is anybody's text.
    @Test
    void valuesThatAreNoIdsAreShownHarmlessly() {
        var push = new TriedPush("main 1>3").held("ann 11 main=\u001b[31mred\u202e");
        assertEquals(
                "refs/heads/main would be at 33333333 but state declares ?[31mred",
                words(push).getFirst());
    }

    @Test
    void hintIsAlwaysTheLastLineAndTheOnlyOne() {
        var pushes = new ArrayList<TriedPush>();
        pushes.add(new TriedPush("pr7 0>3, pr8 0>3")
                .known("7", new Finding.Proposed("4".repeat(40)))
                .known("8", new Finding.Proposed("5".repeat(40))));
        pushes.add(new TriedPush("main 1>3, dev 2>4"));
        for (var push : pushes) {
            var lines = words(push);
            assertEquals(
                    List.of(lines.getLast()),
                    lines.stream().filter(line -> line.startsWith("hint: ")).toList());
        }
    }

    private static PushVerdict.Refused refused(TriedPush push) {
        return assertInstanceOf(PushJudgement.Refused.class, push.judge()).verdict();
    }

    private static String reason(TriedPush push) {
        return shownText(refused(push).reason());
    }

    private static List<String> words(TriedPush push) {
        return refused(push).words().stream().map(TriedPush::shownText).toList();
    }
}
