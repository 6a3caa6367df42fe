package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertClosed;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.ManualTime;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the relay says about itself (NIP-11, relay 5.1) is what it does.
final class InformationTest {
    private static final long TIME = 1_700_000_000;
    private static final String ACCEPT = "application/nostr+json";

    private static WireClient ask(RelayUnderTest relay, String method, String path, String accept) throws IOException {
        return WireClient.request(
                relay.port(),
                method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: " + accept
                        + "\r\n\r\n");
    }

    private static String document(RelayUnderTest relay, String path) throws IOException {
        try (var answer = ask(relay, "GET", path, ACCEPT)) {
            assertEquals(200, answer.status());
            assertEquals(ACCEPT, answer.headers().get("content-type"));
            return answer.body();
        }
    }

    @ParameterizedTest // row 148
    @ValueSource(
            strings = {
                "application/nostr+json",
                "text/html, application/nostr+json;q=0.5",
                "APPLICATION/Nostr+JSON",
                "application/nostr+json; charset=utf-8, */*"
            })
    void isGivenToWhoeverAsksForIt(String accept) throws Exception {
        try (var relay = RelayUnderTest.start();
                var answer = ask(relay, "GET", "/", accept)) {
            assertEquals(200, answer.status());
            assertEquals(ACCEPT, answer.headers().get("content-type"));
            assertEquals("*", answer.headers().get("access-control-allow-origin"));
            assertTrue(answer.body().startsWith("{\"name\":"));
        }
    }

    @ParameterizedTest // row 148
    @ValueSource(strings = {"text/html", "application/json", "*/*", "application/nostr+json;q=0", "x"})
    void isNotGivenToBrowsers(String accept) throws Exception {
        try (var relay = RelayUnderTest.start();
                var answer = ask(relay, "GET", "/", accept)) {
            assertEquals(200, answer.status());
            assertTrue(answer.headers().getOrDefault("content-type", "").startsWith("text/html"));
            assertEquals("*", answer.headers().get("access-control-allow-origin"));
        }
    }

    @Test // row 148
    void hasAHeadAndMayBeAskedForFromAnywhere() throws Exception {
        try (var relay = RelayUnderTest.start();
                var head = ask(relay, "HEAD", "/", ACCEPT);
                var options = ask(relay, "OPTIONS", "/", "*/*")) {
            assertEquals(200, head.status());
            assertEquals(ACCEPT, head.headers().get("content-type"));
            assertTrue(head.isEnd());
            assertEquals(204, options.status());
            for (var name : List.of("origin", "methods", "headers")) {
                assertTrue(options.headers().containsKey("access-control-allow-" + name), name);
            }
        }
    }

    @Test // row 149
    void saysTheNumbersThatAreEnforced() throws Exception {
        try (var relay = RelayUnderTest.startAt(
                        new ManualTime(TIME),
                        "MAX_SUBSCRIPTIONS",
                        "2",
                        "MAX_LIMIT",
                        "4",
                        "DEFAULT_LIMIT",
                        "3",
                        "MAX_SUBID_LENGTH",
                        "8",
                        "MAX_EVENT_TAGS",
                        "5",
                        "MAX_CONTENT_LENGTH",
                        "6",
                        "MAX_EVENT_BYTES",
                        "900",
                        "MAX_MESSAGE_LENGTH",
                        "1000",
                        "CREATED_AT_UPPER_LIMIT",
                        "7",
                        "CREATED_AT_LOWER_LIMIT",
                        "70");
                var client = relay.connect()) {
            var expected = "\"limitation\":{\"max_message_length\":1000,\"max_subscriptions\":2,\"max_limit\":4,"
                    + "\"max_subid_length\":8,\"max_event_tags\":5,\"max_content_length\":6,\"min_pow_difficulty\":0,"
                    + "\"auth_required\":false,\"payment_required\":false,\"restricted_writes\":false,"
                    + "\"created_at_lower_limit\":70,\"created_at_upper_limit\":7,\"default_limit\":3}";
            var document = document(relay, "/");
            assertTrue(document.contains(expected), document);

            assertTaken(client, StoreSamples.event(1, 1, TIME + 7, List.of(), "123456"));
            assertRefused(client, StoreSamples.event(1, 1, TIME + 8, List.of(), ""), "invalid: ");
            assertTaken(client, StoreSamples.event(1, 1, TIME - 70, List.of(), ""));
            assertRefused(client, StoreSamples.event(1, 1, TIME - 71, List.of(), ""), "invalid: ");
            assertRefused(client, StoreSamples.event(1, 1, TIME, List.of(), "1234567"), "invalid: ");
            assertTaken(client, StoreSamples.event(1, 1, TIME, Collections.nCopies(5, List.of("t")), ""));
            assertRefused(
                    client, StoreSamples.event(1, 1, TIME, Collections.nCopies(6, List.of("t")), ""), "invalid: ");
            assertTaken(client, StoreSamples.event(1, 1, TIME, List.of(), "a"));
            assertTaken(client, StoreSamples.event(1, 1, TIME, List.of(), "b"));
            assertEquals(3, client.query("{}").size());
            assertEquals(4, client.query("{\"limit\":4}").size());
            assertEquals(4, client.query("{\"limit\":5}").size());
            client.subscribe("12345678", "{}");
            assertClosed(client, "[\"REQ\",\"123456789\",{}]", "123456789", "invalid: ");
            client.subscribe("2", "{}");
            assertClosed(client, "[\"REQ\",\"3\",{}]", "3", "rate-limited: ");
            var text = "[\"CLOSE\",\"2\"]";
            client.send(text + " ".repeat(1_000 - text.length()));
            client.expectNothing();
            client.send(text + " ".repeat(1_001 - text.length()));
            assertEquals(1009, client.wire().receiveClose().closeCode());
        }
    }

    @Test // row 150
    void listsWhatIsOnByDefault() throws Exception {
        try (var relay = RelayUnderTest.start()) {
            var document = document(relay, "/");
            assertTrue(document.contains("\"supported_nips\":[1,5,9,11,34,40,42,45,62,70,77]"), document);
        }
    }

    @ParameterizedTest // row 150
    @CsvSource(
            delimiter = '|',
            value = {
                "AUTH|off|1,5,9,11,34,40,45,62,70,77",
                "AUTH|required|1,5,9,11,34,40,42,45,62,70,77",
                "NEGENTROPY|false|1,5,9,11,34,40,42,45,62,70",
                "COUNT|false|1,5,9,11,34,40,42,62,70,77",
                "DELETION_REQUEST_DISRESPECTOR|true|1,5,11,34,40,42,45,70,77",
                "MIN_POW_DIFFICULTY|5|1,5,9,11,13,34,40,42,45,62,70,77",
                "EOSE_HINT|true|1,5,9,11,34,40,42,45,62,67,70,77",
                "BASE_PATH|/base|1,9,11,34,40,42,45,62,70,77"
            })
    void listsOnlyWhatIsOn(String setting, String value, String nips) throws Exception {
        try (var relay = RelayUnderTest.start(setting, value)) {
            var document = document(relay, setting.equals("BASE_PATH") ? value : "/");
            assertTrue(document.contains("\"supported_nips\":[" + nips + "]"), document);
        }
    }

    @Test
    void saysThatEverybodyMustAuthenticate() throws Exception {
        try (var relay = RelayUnderTest.start("AUTH", "required")) {
            assertTrue(document(relay, "/").contains("\"auth_required\":true"));
        }
    }
}
