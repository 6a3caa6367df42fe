package dev.grapnel.purgatory.push;

import static dev.grapnel.purgatory.push.TriedPush.X;
import static dev.grapnel.purgatory.push.TriedPush.announcing;
import static dev.grapnel.purgatory.push.TriedPush.key;
import static dev.grapnel.purgatory.push.TriedPush.oid;
import static dev.grapnel.purgatory.push.TriedPush.state;
import static dev.grapnel.purgatory.push.TriedPush.states;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.AnnouncementPool;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which state decides the refs (service 5.3, purgatory P-312). Objects 1 and 2 are here, 9 is a blob.
final class GoverningTest {
    private static final List<Announcement> PAIR = List.of(announcing("ann", "bob", "cat"), announcing("bob", "ann"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            served                          | held                         | A  | in force | candidates
            -                               | -                            | -  | -        | -
            ann 10 main=1                   | -                            | 10 | 10       | -
            ann 10 main=1; bob 11 main=2    | -                            | 11 | 11       | -
            ann 12; bob 10 main=1           | -                            | 12 | 12       | -
            ann 12; bob 13 main=1           | -                            | 13 | 13       | -
            ann 10 main=1; bob 11 main=abc  | -                            | 10 | 10       | -
            ann 10 main=1; bob 11 main=9    | -                            | 10 | 10       | -
            ann 10 main=1; bob 11 v1=9      | -                            | 11 | 11       | -
            ann 10 main=3                   | -                            | 10 | 10       | -
            ann 10 main=1; cat 11 main=2    | -                            | 10 | 10       | -
            ann 10 main=1; dan 11 main=2    | dan 12 main=3                | 10 | 10       | -
            ann 10 main=1                   | ann 11 main=3; bob 12 main=4 | 10 | 10       | 12 11
            ann 10 main=1                   | ann 9 main=3; bob 12 main=4  | 10 | 10       | 12
            ann 10 main=1                   | bob 11; ann 12 main=3        | 10 | 11       | 12
            ann 10 main=1                   | bob 11; ann 10 main=3        | 10 | 11       | -
            ann 10 main=1                   | bob 9; ann 12 main=3         | 10 | 10       | 12
            ann 10 main=1                   | bob 11 main=2; ann 12 main=3 | 10 | 11       | 12
            ann 10 main=1                   | bob 11 main=9; ann 12 main=3 | 10 | 10       | 12 11
            -                               | bob 11; ann 10 main=3        | -  | 11       | -
            """, useHeadersInDisplayName = true)
    void newestOfAMemberGovernsAndOnlyNewerOnesMayFollow(
            String served, String held, String authoritative, String inForce, String candidates) {
        var governing = among(PAIR, states(served), states(held));
        assertEquals(authoritative, shown(governing.authoritative().stream().toList()), "A");
        assertEquals(inForce, shown(governing.inForce().stream().toList()), "in force");
        assertEquals(candidates, shown(governing.candidates()), "candidates");
    }

    @Test
    void lowerIdWinsWithinASecondWhoeverTheAuthorsAre() {
        var ann = state("ann 10 main=1");
        var bob = state("bob 10 main=2");
        var lower = ann.event().id().compareTo(bob.event().id()) < 0 ? ann : bob;
        var higher = lower.equals(ann) ? bob : ann;
        assertEquals(
                Optional.of(lower), among(PAIR, List.of(ann, bob), List.of()).inForce());
        assertEquals(
                Optional.of(lower), among(PAIR, List.of(bob, ann), List.of()).inForce());
        assertEquals(List.of(), among(PAIR, List.of(lower), List.of(higher)).candidates());
        assertEquals(
                Optional.of(lower), among(PAIR, List.of(higher), List.of(lower)).inForce());
    }

    @Test
    void whoeverIsNoMemberAnyMoreGovernsNothing() {
        var states = states("ann 10 main=1; bob 11 main=2");
        assertEquals(Optional.of(states.get(1)), among(PAIR, states, List.of()).inForce());
        var alone = List.of(announcing("ann"), announcing("bob", "ann"));
        assertEquals(Optional.of(states.get(0)), among(alone, states, List.of()).inForce());
        var left = List.of(announcing("ann", List.of(List.of("m", key("ann").toHex(), "1", "2"))));
        var nobody = among(left, states, states("ann 12 main=3"));
        assertEquals(Optional.empty(), nobody.inForce());
        assertEquals(List.of(), nobody.authorising());
    }

    @Test
    void fewStatesAreLookedAt() {
        var asked = new ArrayList<String>();
        var applicable = new Applicability() {
            @Override
            public boolean isNever(RepositoryState state) {
                asked.add("never " + state.event().createdAt());
                return false;
            }

            @Override
            public boolean needsNothing(RepositoryState state) {
                asked.add("ready " + state.event().createdAt());
                return false;
            }
        };
        var served = states("ann 10 main=1; bob 8 main=2; dan 20 main=1");
        var held = states("ann 12 main=3; ann 9 main=3; dan 21 main=3");
        var governing = Governing.among(maintainers(PAIR), served, held, applicable);
        assertEquals(List.of("never 10", "ready 12"), asked);
        assertEquals("21 12 9", shown(governing.held()));
        assertEquals("12 9", shown(governing.heldByMembers()));
    }

    private static Governing among(
            List<Announcement> announcements, List<RepositoryState> served, List<RepositoryState> held) {
        var objects = new Objects() {
            @Override
            public boolean isHere(Oid object) {
                return Set.of(oid("1"), oid("2"), oid("9")).contains(object);
            }

            @Override
            public boolean isOtherThanCommit(Oid object) {
                return object.equals(oid("9"));
            }
        };
        return Governing.among(maintainers(announcements), served, held, Applicability.by(objects));
    }

    private static Maintainers maintainers(List<Announcement> announcements) {
        return Maintainers.of(key("ann"), AnnouncementPool.of(X, announcements), MaintainerModel.CONFIRMED);
    }

    private static String shown(List<RepositoryState> states) {
        return states.isEmpty()
                ? "-"
                : states.stream()
                        .map(state -> Long.toString(state.event().createdAt()))
                        .collect(Collectors.joining(" "));
    }
}
