package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The rows of service A.2 over the wire: whose states are taken, and what the others are told.
final class MaintainerRowsTest {
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;
    private static final Map<String, Integer> PEOPLE = Map.of("A", A, "B", B, "C", C);

    /// One row.
    ///
    /// @param announcements what is announced, such as `A: M A, m B!` or `A -> B`
    /// @param accepted whose states are taken by some repository
    /// @param refused what others are told, in the order of the people not accepted
    private record Row(String name, List<String> announcements, List<String> accepted, Map<String, String> refused) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final String NOT = "restricted: author not authorized for this repository";
    private static final String NONE_HERE = "invalid: no announcement exists for this repository";

    private static String invited(String by) {
        return NOT + " (invited by " + npub(by) + ": announce this repository and list them to accept)";
    }

    private static String because(String cause) {
        return NOT + " (" + cause + ")";
    }

    private static int numberOf(String person) {
        return Objects.requireNonNull(PEOPLE.get(person));
    }

    private static String npub(String person) {
        return new Npub(StoreSamples.author(numberOf(person))).text();
    }

    private static List<Row> rows() {
        return List.of(
                new Row("1", List.of("A"), List.of("A"), Map.of("B", NOT)),
                new Row("2", List.of("A -> B"), List.of("A"), Map.of("B", invited("A"))),
                new Row("3", List.of("A -> B", "B -> A"), List.of("A", "B"), Map.of()),
                new Row("4", List.of("A -> B", "B -> C", "C -> B"), List.of("A", "B", "C"), Map.of()),
                new Row("5", List.of("A -> B", "B -> A, C", "C -> B"), List.of("A", "B", "C"), Map.of()),
                new Row("6", List.of("A -> B", "B -> C", "C -> A"), List.of("A", "B", "C"), Map.of()),
                new Row("7", List.of("A -> B, C", "B -> A", "C -> B"), List.of("A", "B", "C"), Map.of()),
                new Row("8", List.of("A: M A, m B", "B: M A, m B"), List.of("A", "B"), Map.of()),
                new Row(
                        "9",
                        List.of("A: M A, m B!", "B: M A, m B"),
                        List.of("A"),
                        Map.of("B", because("lead " + npub("A") + " does not list you"))),
                new Row(
                        "10",
                        List.of("A: M A, m B", "B: M A, m B!"),
                        List.of("A"),
                        Map.of("B", because("you have ended your own role"))),
                new Row(
                        "11",
                        List.of("A: M B, m A!", "B: M B, m A"),
                        List.of("B"),
                        Map.of("A", because("you have ended your own role"))),
                new Row(
                        "12",
                        List.of("A: M B, m A", "B: M B"),
                        List.of("B"),
                        Map.of("A", because("lead " + npub("B") + " does not list you"))),
                new Row(
                        "13",
                        List.of("A: M B, m A", "B: M C, m B, m A", "C: M C, m B, m A"),
                        List.of("A", "B", "C"),
                        Map.of()),
                new Row(
                        "14",
                        List.of("A: M B, m A", "B: M A, m B"),
                        List.of(),
                        Map.of("A", because("lead cycle"), "B", because("lead cycle"))),
                new Row(
                        "15",
                        List.of("A: M B, M C"),
                        List.of(),
                        Map.of(
                                "A", because("several leads at " + npub("A")),
                                "B", because("several leads at " + npub("A")))),
                new Row(
                        "16",
                        List.of("A: M B"),
                        List.of(),
                        Map.of("A", because("lead " + npub("B") + " has no announcement here"))),
                new Row("17", List.of("A: M B, m A", "B: m B, m A"), List.of("A", "B"), Map.of()),
                new Row("18", List.of("A: m A!"), List.of(), Map.of("A", because("you have ended your own role"))),
                new Row("19", List.of("A: o B; maintainers C"), List.of("A"), Map.of("B", NOT, "C", NOT)),
                new Row("20", List.of("A: m B defer", "B -> A"), List.of("A", "B"), Map.of()),
                new Row("21", List.of("A: m nobody", "B -> A"), List.of("A", "B"), Map.of()),
                new Row("22", List.of("A: M A, m B", "B -> A"), List.of("A", "B"), Map.of()),
                new Row(
                        "23",
                        List.of("A: M A", "C: M A"),
                        List.of("A"),
                        Map.of("C", because("lead " + npub("A") + " does not list you"))),
                new Row("24", List.of("A -> B", "y: B"), List.of("A"), Map.of("B", invited("A"))),
                new Row("nothing announced", List.of("y: B"), List.of(), Map.of("A", NONE_HERE)));
    }

    @TestFactory
    Stream<DynamicTest> statesAreTakenFromConfirmedMaintainersOnly() {
        return rows().stream().map(row -> DynamicTest.dynamicTest("row " + row, () -> judge(row)));
    }

    /// The order of arrival is another one in each row.
    private static void judge(Row row) throws IOException {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            announce(row, row.name().hashCode(), server, client);
            for (var person : row.accepted()) {
                var ok = client.publish(server.state(numberOf(person), "x"));
                assertTrue(ok.accepted(), person + ": " + ok.message());
                assertEquals("purgatory: won't be served until git data arrives", ok.message(), person);
            }
            for (var refused : row.refused().entrySet()) {
                var ok = client.publish(server.state(numberOf(refused.getKey()), "x"));
                assertTrue(!ok.accepted(), refused.getKey());
                assertEquals(refused.getValue(), ok.message(), refused.getKey());
            }
        }
    }

    private static void announce(Row row, int seed, GraspUnderTest server, RelayClient client) throws IOException {
        var events = new ArrayList<Event>();
        row.announcements().forEach(text -> events.add(read(text, server)));
        Collections.shuffle(events, new Random(seed));
        for (var event : events) {
            var ok = client.publish(event);
            assertEquals("purgatory: won't be served until git data arrives", ok.message());
        }
    }

    @TestFactory
    Stream<DynamicTest> everybodyListedIsTakenInTheRecursiveModel() {
        var recursive = List.of(
                new Row("2", List.of("A -> B"), List.of("A", "B"), Map.of("C", NOT)),
                new Row("4", List.of("A -> B", "B -> C"), List.of("A", "B", "C"), Map.of()),
                new Row("6", List.of("A -> B", "B -> C", "C -> A"), List.of("A", "B", "C"), Map.of()),
                new Row("10", List.of("A: M A, m B", "B: M A, m B!"), List.of("A", "B"), Map.of()),
                new Row("14", List.of("A: M B, m A", "B: M A, m B"), List.of("A", "B"), Map.of()),
                new Row("18", List.of("A: m A!"), List.of("A"), Map.of("B", NOT)));
        return recursive.stream()
                .map(row -> DynamicTest.dynamicTest("row " + row, () -> {
                    try (var server = GraspUnderTest.start("MAINTAINER_MODEL", "recursive");
                            var client = server.connect()) {
                        announce(row, 0, server, client);
                        for (var person : row.accepted()) {
                            assertTrue(
                                    client.publish(server.state(numberOf(person), "x"))
                                            .accepted(),
                                    person);
                        }
                        for (var refused : row.refused().entrySet()) {
                            var ok = client.publish(server.state(numberOf(refused.getKey()), "x"));
                            assertEquals(refused.getValue(), ok.message(), refused.getKey());
                        }
                    }
                }));
    }

    /// Their own roles do not count there, so they are no cause either.
    @Test
    void whoeverLeftAndIsListedNoMoreIsToldSoInTheConfirmedModelOnly() throws Exception {
        var left = Map.of("confirmed", NOT + " (you have ended your own role)", "recursive", NOT);
        for (var model : left.entrySet()) {
            try (var server = GraspUnderTest.start("MAINTAINER_MODEL", model.getKey());
                    var client = server.connect()) {
                int ann = numberOf("A");
                int bob = numberOf("B");
                assertHeld(client, server.announcement(ann, "x", role("M A"), role("m B")));
                assertHeld(client, server.elsewhere(bob, "x", role("M A"), role("m B!")));
                assertHeld(client, server.announcement(9, "x", role("o B"))); // keeps the reference here
                assertHeld(client, server.announcementAt(server.now() + 1, ann, "x", role("M A")));
                assertAnswer(client, server.state(bob, "x"), false, model.getValue());
                assertAnswer(client, server.state(numberOf("C"), "x"), false, NOT);
            }
        }
    }

    /// `A`, `A -> B, C`, `A: M A, m B!` or `y: B` for another identifier.
    private static Event read(String text, GraspUnderTest server) {
        if (text.startsWith("y: ")) {
            return server.announcement(numberOf(text.substring(3)), "y");
        }
        int author = numberOf(text.substring(0, 1));
        var tags = new ArrayList<List<String>>();
        if (text.contains("->")) {
            tags.add(maintainers(text.substring(text.indexOf("->") + 2)));
        } else if (text.contains(":")) {
            var parts = text.substring(2).split(";", -1);
            for (var record : parts[0].split(",", -1)) {
                tags.add(role(record.strip()));
            }
            if (parts.length > 1) {
                tags.add(maintainers(parts[1].replace("maintainers", "")));
            }
        }
        @SuppressWarnings("unchecked")
        List<String>[] more = tags.toArray(List[]::new);
        return server.announcement(author, "x", more);
    }

    private static List<String> maintainers(String people) {
        var tag = new ArrayList<>(List.of("maintainers"));
        for (var person : people.split(",", -1)) {
            tag.add(StoreSamples.author(numberOf(person.strip())).toHex());
        }
        return tag;
    }

    private static List<String> role(String record) {
        var parts = record.split(" ", -1);
        boolean isEnded = parts[1].endsWith("!");
        var person = parts[1].replace("!", "");
        var key = PEOPLE.containsKey(person)
                ? StoreSamples.author(numberOf(person)).toHex()
                : "not a key";
        if (parts.length > 2) {
            return List.of(parts[0], key, "100", parts[2]);
        }
        return isEnded ? List.of(parts[0], key, "100", "200") : List.of(parts[0], key);
    }
}
