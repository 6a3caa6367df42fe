package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertClosed;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// COUNT (NIP-45, relay 5.3).
@TestInstance(Lifecycle.PER_CLASS)
final class CountTest {
    private static final long TIME = 1_700_000_000;
    private static final String LIKED = "5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36";
    private static final int AUTHORS = 40;

    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeAll
    void start() throws IOException {
        relay = RelayUnderTest.start("MAX_LIMIT", "10", "DEFAULT_LIMIT", "5");
        try (var publisher = relay.connect()) {
            for (int i = 0; i < AUTHORS; i++) {
                assertTaken(publisher, like(i, TIME + i));
            }
            assertTaken(publisher, like(0, TIME + AUTHORS));
        }
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

    private static Event like(int author, long createdAt) {
        var tags = List.of(
                List.of("e", LIKED), List.of("t", "nostr"), List.of("a", "30617:" + StoreSamples.author(7) + ":x:y"));
        return StoreSamples.event(author, 7, createdAt, tags, "+");
    }

    private void assertCount(String object, String... filters) throws IOException {
        assertEquals(
                "[\"COUNT\",\"c\"," + object + "]", client.ask("[\"COUNT\",\"c\"," + String.join(",", filters) + "]"));
    }

    @Test // row 145
    void countsEachEventOnce() throws Exception {
        assertCount("{\"count\":41}", "{\"kinds\":[7]}");
        assertCount("{\"count\":41}", "{\"#t\":[\"nostr\"]}", "{\"kinds\":[7]}", "{\"since\":" + (TIME + 30) + "}");
        assertCount("{\"count\":2}", "{\"authors\":[\"" + StoreSamples.author(0) + "\"]}");
        assertCount("{\"count\":0}", "{\"kinds\":[2]}");
    }

    @Test // relay 5.3
    void takesALimitForEachFilter() throws Exception {
        assertCount("{\"count\":3}", "{\"kinds\":[7],\"limit\":3}");
        assertCount("{\"count\":3}", "{\"kinds\":[7],\"limit\":3}", "{\"limit\":2}");
        assertCount("{\"count\":30}", "{\"kinds\":[7],\"limit\":30}"); // the greatest limit of REQ does not cut it
        assertCount("{\"count\":0}", "{\"kinds\":[7],\"limit\":0}");
    }

    @Test // relay 5.3
    void stopsCountingAndSaysSo() throws Exception {
        try (var small = RelayUnderTest.start("MAX_COUNT", "3");
                var other = small.connect()) {
            for (int i = 0; i < 5; i++) {
                assertTaken(other, like(i, TIME));
                var expected = i < 3 ? "{\"count\":" + (i + 1) + "}" : "{\"count\":3,\"approximate\":true}";
                assertEquals("[\"COUNT\",\"c\"," + expected + "]", other.ask("[\"COUNT\",\"c\",{}]"));
            }
        }
    }

    @Test // row 146
    void opensNoSubscription() throws Exception {
        client.subscribe("s", "{\"authors\":[\"" + StoreSamples.author(50) + "\"]}");
        client.ask("[\"COUNT\",\"c\",{\"authors\":[\"" + StoreSamples.author(50) + "\"]}]");
        try (var publisher = relay.connect()) {
            var event = publisher.publishOk(StoreSamples.event(50, 1, TIME, List.of(), ""));
            assertEquals(event, client.live("s"));
        }
        client.expectNothing();
    }

    @Test // relay 2.3
    void refusesByClosed() throws Exception {
        assertClosed(client, "[\"COUNT\",\"c\",{\"kinds\":[\"7\"]}]", "c", "invalid: ");
        assertClosed(client, "[\"COUNT\",\"c\",{},{\"foo\":1}]", "c", "unsupported: ");
        client.expectNothing();
    }

    // ---- HyperLogLog

    /// Registers as the words of relay 5.3 say.
    private static String registers(int offset) {
        var registers = new byte[256];
        for (int i = 0; i < AUTHORS; i++) {
            var key = StoreSamples.author(i).toBytes();
            int zeros = 0;
            while (zeros < 56 && (key[offset + 1 + zeros / 8] & (0x80 >> zeros % 8)) == 0) {
                zeros++;
            }
            int register = key[offset] & 0xff;
            registers[register] = (byte) Math.max(registers[register], zeros + 1);
        }
        return HexFormat.of().formatHex(registers);
    }

    private static int offset(String hex) {
        return Character.digit(hex.charAt(32), 16) + 8;
    }

    @Test // row 147
    void estimatesDistinctAuthorsWithRegisters() throws Exception {
        assertEquals(19, offset(LIKED));
        assertRegisters("#e", LIKED, offset(LIKED));
        var digest = MessageDigest.getInstance("SHA-256").digest("nostr".getBytes(StandardCharsets.UTF_8));
        assertEquals(12, offset(HexFormat.of().formatHex(digest)));
        assertRegisters("#t", "nostr", 12);
        var key = StoreSamples.author(7).toString();
        assertRegisters("#a", "30617:" + key + ":x:y", offset(key));
    }

    private void assertRegisters(String tag, String value, int offset) throws IOException {
        assertCount(
                "{\"count\":41,\"hll\":\"" + registers(offset) + "\"}",
                "{\"kinds\":[7],\"" + tag + "\":[\"" + value + "\"]}");
    }

    @ParameterizedTest // row 147
    @ValueSource(
            strings = {
                "{\"kinds\":[7]}",
                "{\"#t\":[\"nostr\"]}",
                "{\"kinds\":[7,8],\"#t\":[\"nostr\"]}",
                "{\"kinds\":[7],\"#t\":[\"nostr\",\"x\"]}",
                "{\"kinds\":[7],\"#t\":[\"nostr\"],\"#e\":[\"" + LIKED + "\"]}",
                "{\"kinds\":[7],\"#t\":[\"nostr\"],\"since\":1}",
                "{\"kinds\":[7],\"#t\":[\"nostr\"],\"until\":1800000000}",
                "{\"kinds\":[7],\"#t\":[\"nostr\"]},{\"kinds\":[7],\"#t\":[\"nostr\"]}"
            })
    void leavesRegistersOutOfOtherCounts(String filters) throws Exception {
        assertCount("{\"count\":41}", filters);
    }

    @Test // row 147
    void leavesRegistersOutIfToldTo() throws Exception {
        try (var plain = RelayUnderTest.start("COUNT_HLL", "false");
                var other = plain.connect()) {
            var answer = other.ask("[\"COUNT\",\"c\",{\"kinds\":[7],\"#t\":[\"nostr\"]}]");
            assertTrue(answer.equals("[\"COUNT\",\"c\",{\"count\":0}]"), answer);
        }
    }
}
