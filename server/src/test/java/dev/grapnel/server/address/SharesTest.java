package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// What one address may hold at the same time.
final class SharesTest {
    private final Shares shares = new Shares(2, AddressLimits.DEFAULTS);

    private static ClientAddress address(String text) {
        return ClientAddress.parse(text).require();
    }

    @Test
    void addressHoldsItsShareAndNoMore() {
        var first = shares.take(address("203.0.113.7")).orElseThrow();
        assertTrue(shares.take(address("203.0.113.7")).isPresent());
        assertTrue(shares.take(address("203.0.113.7")).isEmpty());
        assertTrue(shares.take(address("203.0.113.8")).isPresent());
        first.close();
        assertTrue(shares.take(address("203.0.113.7")).isPresent());
        assertTrue(shares.take(address("203.0.113.7")).isEmpty());
    }

    @Test
    void addressesOfOneNetworkShare() {
        assertTrue(shares.take(address("2001:db8::1")).isPresent());
        assertTrue(shares.take(address("2001:db8::2")).isPresent());
        assertTrue(shares.take(address("2001:db8::3")).isEmpty());
        assertTrue(shares.take(address("2001:db8:0:1::1")).isPresent());
    }

    @Test
    void thisMachineHasNoShareOfItsOwn() {
        for (int i = 0; i < 5; i++) {
            assertTrue(shares.take(address("127.0.0.1")).isPresent());
        }
    }
}
