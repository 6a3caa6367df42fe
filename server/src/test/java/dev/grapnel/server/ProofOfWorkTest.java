package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertBegins;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.publishing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.store.StoreSamples;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Events that must cost their author something (NIP-13, relay 5.5).
final class ProofOfWorkTest {
    private static final long TIME = 1_700_000_000;

    /// Relay 9.2: 21 zero bits, and 20 promised.
    private static final String MINED_ID = "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358";

    private static final String MINED = "{\"id\":\"" + MINED_ID
            + "\",\"pubkey\":\"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243\","
            + "\"created_at\":1651794653,\"kind\":1,\"tags\":[[\"nonce\",\"776797\",\"20\"]],"
            + "\"content\":\"It's just me mining my own business\",\"sig\":\"284622fc0a3f4f1303455d5175f7ba962a3300d136"
            + "085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977\"}";

    @Test // row 152
    void takesWhatWasMinedFarEnough() throws Exception {
        try (var relay = RelayUnderTest.start("MIN_POW_DIFFICULTY", "20");
                var client = relay.connect()) {
            assertRefused(client, StoreSamples.event(1, 1, TIME, List.of(), "cheap"), "pow: ");
            assertEquals("[\"OK\",\"" + MINED_ID + "\",true,\"\"]", client.ask(publishing(MINED)));
        }
    }

    @Test // row 152
    void refusesAPromiseBelowTheMinimum() throws Exception {
        try (var relay = RelayUnderTest.start("MIN_POW_DIFFICULTY", "21");
                var client = relay.connect()) {
            assertBegins("[\"OK\",\"" + MINED_ID + "\",false,\"pow: ", client.ask(publishing(MINED)));
        }
    }

    @Test // row 152
    void countsZeroBitsExactly() throws Exception {
        try (var relay = RelayUnderTest.start("MIN_POW_DIFFICULTY", "9");
                var client = relay.connect()) {
            assertRefused(client, mine(8, 8, ""), "pow: ");
            assertTaken(client, mine(9, 9, ""));
            assertTaken(client, mine(9, 20, "9"));
            assertTaken(client, mine(9, 20, "a promise nobody understands"));
            assertRefused(client, mine(9, 20, "8"), "pow: ");
        }
    }

    /// An event with so many zero bits that promises something, or nothing.
    private static Event mine(int least, int most, String promise) {
        var author = StoreSamples.author(1);
        for (int nonce = 0; ; nonce++) {
            var number = Integer.toString(nonce);
            var tags = List.of(promise.isEmpty() ? List.of("nonce", number) : List.of("nonce", number, promise));
            int bits = Long.numberOfLeadingZeros(
                    new EventDraft(TIME, 1, tags, "").id(author).a());
            if (bits >= least && bits <= most) {
                return StoreSamples.event(1, 1, TIME, tags, "");
            }
        }
    }
}
