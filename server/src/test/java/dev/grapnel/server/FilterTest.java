package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertClosed;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What filters mean and which are refused (relay 3), over the wire.
@TestInstance(Lifecycle.PER_CLASS)
final class FilterTest {
    private static final long TIME = 1_700_000_000;
    private static final String HEX = "ab".repeat(32);

    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeAll
    void start() {
        relay = RelayUnderTest.start();
    }

    @AfterAll
    void stop() {
        relay.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = relay.connect();
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    private Event publish(int author, int kind, List<List<String>> tags) throws IOException {
        return client.publishOk(StoreSamples.event(author, kind, TIME, tags, tags.toString()));
    }

    private static String by(int author, String more) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]" + more + "}";
    }

    // ---- tags

    @Test // row 68
    void tellsCapitalLettersApart() throws Exception {
        var small = publish(1, 1, List.of(List.of("e", HEX), List.of("a", "x")));
        var capital = publish(1, 1, List.of(List.of("E", HEX), List.of("A", "x")));
        assertEquals(List.of(small), client.events(by(1, ",\"#e\":[\"" + HEX + "\"]")));
        assertEquals(List.of(capital), client.events(by(1, ",\"#E\":[\"" + HEX + "\"]")));
        assertEquals(List.of(small), client.events(by(1, ",\"#a\":[\"x\"]")));
        assertEquals(List.of(capital), client.events(by(1, ",\"#A\":[\"x\"]")));
    }

    @Test // rows 69, 70
    void comparesTheFirstValueOnly() throws Exception {
        var event = publish(2, 1, List.of(List.of("t", "x", "y"), List.of("t"), List.of("r")));
        assertEquals(List.of(event), client.events(by(2, ",\"#t\":[\"x\"]")));
        assertEquals(List.of(), client.events(by(2, ",\"#t\":[\"y\",\"\"]")));
        assertEquals(List.of(), client.events(by(2, ",\"#r\":[\"\"]")));
    }

    @Test // row 71
    void doesNotFindAMissingIdentifier() throws Exception {
        publish(3, 30_000, List.of());
        publish(3, 30_002, List.of(List.of("d")));
        var empty = publish(3, 30_001, List.of(List.of("d", "")));
        assertEquals(List.of(empty), client.events(by(3, ",\"#d\":[\"\"]")));
    }

    @Test // rows 72, 73
    void wantsEveryConditionAndAnyOfItsValues() throws Exception {
        var both = publish(4, 1, List.of(List.of("t", "x"), List.of("t", "z"), List.of("r", "y")));
        var one = publish(4, 1, List.of(List.of("t", "x")));
        var two = publish(4, 1, List.of(List.of("r", "y")));
        assertEquals(List.of(both), client.events(by(4, ",\"#t\":[\"x\"],\"#r\":[\"y\"]")));
        assertEquals(
                2, client.events(by(4, ",\"#t\":[\"z\",\"x\",\"x\",\"q\"]")).size());
        assertEquals(
                3,
                client.events(by(4, ",\"#t\":[\"x\"]"), by(4, ",\"#r\":[\"y\"]"))
                        .size());
        assertEquals(
                2,
                client.events("{\"ids\":[\"" + one.id() + "\",\"" + two.id() + "\"]}")
                        .size());
    }

    @ParameterizedTest // rows 74, 75
    @ValueSource(strings = {"ids", "authors", "kinds", "#t", "#e"})
    void findsNothingInAnEmptyList(String key) throws Exception {
        var stored = publish(5, 1, List.of(List.of("t", key)));
        var empty = "{\"" + key + "\":[]}";
        assertEquals(List.of(), client.subscribe("empty", empty));
        var filter = by(5, ",\"#t\":[" + quoted(key) + "]");
        assertEquals(List.of(stored), client.subscribe("both", empty, filter));
        assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\"," + empty + "]"));
        try (var publisher = relay.connect()) {
            var event = publisher.publishOk(StoreSamples.event(5, 1, TIME, List.of(List.of("t", key)), "live"));
            assertEquals(event, client.live("both"));
            client.expectNothing();
        }
    }

    // ---- refused

    static Stream<Arguments> badHex() {
        var values = List.of(
                HEX.substring(1),
                HEX + "a",
                HEX.toUpperCase(Locale.ROOT),
                "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266",
                "g".repeat(64),
                "");
        return Stream.of("ids", "authors", "#e", "#p")
                .flatMap(key -> values.stream().map(value -> Arguments.of(key, value)));
    }

    @ParameterizedTest // row 76
    @MethodSource("badHex")
    void refusesIdsAndKeysThatAreNot64Digits(String key, String value) throws Exception {
        var filter = "{\"" + key + "\":[\"" + HEX + "\",\"" + value + "\"]}";
        assertClosed(client, "[\"REQ\",\"s\"," + filter + "]", "s", "invalid: ");
        assertClosed(client, "[\"COUNT\",\"s\"," + filter + "]", "s", "invalid: ");
        client.expectNothing();
    }

    @Test // row 77
    void neverMatchesAPrefix() throws Exception {
        var event = publish(6, 1, List.of());
        var id = event.id().toString();
        assertClosed(client, "[\"REQ\",\"s\",{\"ids\":[\"" + id.substring(0, 32) + "\"]}]", "s", "invalid: ");
        assertEquals(List.of(), client.query("{\"ids\":[\"" + id.substring(0, 32) + "0".repeat(32) + "\"]}"));
        var author = event.author().toString();
        assertEquals(List.of(), client.query("{\"authors\":[\"" + author.substring(0, 32) + "0".repeat(32) + "\"]}"));
    }

    @ParameterizedTest // rows 78, 79
    @ValueSource(
            strings = {
                "\"foo\":1",
                "\"#alt\":[\"x\"]",
                "\"#1\":[\"x\"]",
                "\"#-\":[\"x\"]",
                "\"#\":[\"x\"]",
                "\"#é\":[\"x\"]",
                "\"Ids\":[]",
                "\"\":null",
                "\"search\":\"word\"",
                "\"and\":[{}]"
            })
    void doesNotPretendToKnowAKey(String condition) throws Exception {
        assertClosed(client, "[\"REQ\",\"s\",{" + condition + "}]", "s", "unsupported: ");
        client.expectNothing();
    }

    @ParameterizedTest // row 80
    @ValueSource(
            strings = {
                "\"kinds\":[70000]",
                "\"kinds\":[-1]",
                "\"kinds\":[1.5]",
                "\"kinds\":[\"1\"]",
                "\"kinds\":[1e3]",
                "\"kinds\":1",
                "\"kinds\":null",
                "\"since\":-1",
                "\"until\":1.0",
                "\"until\":\"1\"",
                "\"limit\":null",
                "\"limit\":true",
                "\"limit\":-0",
                "\"#t\":\"x\"",
                "\"#t\":[1]",
                "\"#t\":[null]",
                "\"ids\":{}",
                "\"limit\":1,\"limit\":1",
                "\"#t\":[],\"#t\":[]"
            })
    void refusesValuesOfAnotherForm(String condition) throws Exception {
        assertClosed(client, "[\"REQ\",\"s\",{" + condition + "}]", "s", "invalid: ");
        client.expectNothing();
    }

    // ---- sizes

    @ParameterizedTest // row 81
    @ValueSource(ints = {300, 5_000})
    void findsLongValuesExactly(int length) throws Exception {
        var value = "v".repeat(length);
        var event = publish(7, 1, List.of(List.of("t", value)));
        publish(7, 1, List.of(List.of("t", value + "w")));
        publish(7, 1, List.of(List.of("t", value.substring(1))));
        publish(7, 1, List.of(List.of("t", value.substring(1) + "w")));
        assertEquals(List.of(event), client.events("{\"#t\":[\"" + value + "\"]}"));
        assertEquals(List.of(), client.events("{\"#t\":[\"" + "v".repeat(255) + "\"]}"));
    }

    @Test // row 82
    void takesAllTheValuesItSaysAndNotOneMore() throws Exception {
        var event = publish(8, 1, List.of(List.of("t", "value 24999")));
        var values =
                IntStream.range(0, 25_000).mapToObj(i -> "\"value " + i + "\"").collect(Collectors.joining(","));
        assertEquals(List.of(event), client.subscribe("s", "{\"#t\":[" + values + "]}"));
        assertEquals(
                "[\"CLOSED\",\"s\",\"invalid: more than the max values 25000\"]",
                client.ask("[\"REQ\",\"s\",{\"#t\":[" + values + "]},{\"kinds\":[1]}]"));
        assertEquals(
                "[\"CLOSED\",\"c\",\"invalid: more than the max values 25000\"]",
                client.ask("[\"COUNT\",\"c\",{\"#t\":[" + values + ",\"\"]}]"));
        assertEquals(
                "[\"NEG-ERR\",\"n\",\"invalid: more than the max values 25000\"]",
                client.ask("[\"NEG-OPEN\",\"n\",{\"#t\":[" + values + ",\"\"]},\"61\"]"));
    }

    @Test // row 82
    void takesAllTheFiltersItSaysAndNotOneMore() throws Exception {
        var event = publish(9, 1, List.of());
        var filters = Collections.nCopies(200, by(9, ""));
        assertEquals(List.of(event), client.events(filters.toArray(String[]::new)));
        var more = String.join(",", Collections.nCopies(201, by(9, "")));
        assertEquals(
                "[\"CLOSED\",\"s\",\"invalid: more than the max filter count 200\"]",
                client.ask("[\"REQ\",\"s\"," + more + "]"));
        assertEquals(
                "[\"CLOSED\",\"c\",\"invalid: more than the max filter count 200\"]",
                client.ask("[\"COUNT\",\"c\"," + more + "]"));
    }

    @Test // row 82
    void takesEightTagConditionsInAFilter() throws Exception {
        var conditions = Stream.of("a", "b", "c", "d", "f", "g", "h", "i")
                .map(letter -> "\"#" + letter + "\":[\"x\"]")
                .collect(Collectors.joining(","));
        assertEquals(List.of(), client.events("{" + conditions + "}", "{" + conditions + "}"));
        assertEquals(
                "[\"CLOSED\",\"s\",\"invalid: more than 8 tag conditions in a filter\"]",
                client.ask("[\"REQ\",\"s\",{" + conditions + ",\"#j\":[\"x\"]}]"));
    }
}
