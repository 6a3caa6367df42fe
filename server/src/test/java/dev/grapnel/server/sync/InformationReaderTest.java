package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.RelayInformation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Documents as relays write them, good and bad.
final class InformationReaderTest {
    private static Optional<RelayInformation> read(String json) {
        return InformationReader.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static RelayInformation limitation(String fields) {
        return read("{\"limitation\":{" + fields + "}}").orElseThrow();
    }

    @Test
    void limitsAndSpecificationsAreRead() {
        assertEquals(
                new RelayInformation(
                        OptionalInt.of(131_072),
                        OptionalInt.of(20),
                        OptionalInt.of(500),
                        OptionalInt.of(10),
                        true,
                        Optional.of(Set.of("GRASP-01", "GRASP-08"))),
                read("""
                        {"name":"a relay","supported_nips":[1,11,77],
                         "limitation":{"max_message_length":131072,"max_subscriptions":20,"max_limit":500,
                                       "max_filters":10,"auth_required":true,"payment_required":false},
                         "supported_grasps":["GRASP-01","grasp-08",7,["x"]],"fees":{"x":[{"y":1}]}}
                        """).orElseThrow());
    }

    @Test
    void whatIsNotSaidIsNotKnown() {
        assertEquals(Optional.of(RelayInformation.NONE), read("{}"));
        assertEquals(Optional.of(RelayInformation.NONE), read("{\"limitation\":null,\"supported_grasps\":\"all\"}"));
        assertTrue(read("{\"supported_grasps\":[]}").orElseThrow().isGrasp());
    }

    @Test
    void numbersOfAnotherFormCountAsAbsent() {
        for (var number : List.of("0", "-1", "1.5", "\"20\"", "null", "[20]")) {
            assertEquals(
                    OptionalInt.empty(),
                    limitation("\"max_subscriptions\":" + number).subscriptionsMax(),
                    number);
        }
        assertEquals(
                OptionalInt.of(Integer.MAX_VALUE),
                limitation("\"max_message_length\":99999999999999999999999").messageMax());
        assertTrue(!limitation("\"auth_required\":\"yes\"").authRequired());
    }

    @Test
    void whatIsNoObjectSaysNothing() {
        for (var text :
                List.of("", "[]", "<html>", "{", "{\"limitation\":{}", "{} x", "{\"a\":1,}", "[".repeat(1_000))) {
            assertEquals(Optional.empty(), read(text), text);
        }
    }
}
