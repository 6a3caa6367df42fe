package dev.grapnel.server.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.Configuration;
import dev.grapnel.server.address.Admitted.Full;
import dev.grapnel.server.address.Admitted.TooFast;
import dev.grapnel.server.address.Admitted.TooManyHere;
import dev.grapnel.server.address.Admitted.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How much an address may do (relay 6.6), with the time in hand.
final class AddressBookTest {
    private static final ClientAddress HERE = address("192.0.2.1");
    private static final ClientAddress THERE = address("192.0.2.2");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final AddressLimits LIMITS = new AddressLimits(
            6,
            3,
            Rate.perMinute(6, 4),
            Rate.perSecond(5, 20),
            Rate.perSecond(4, 8),
            List.of(cidr("203.0.113.0/24"), cidr("2001:db8::5/128")),
            2,
            100);

    private final ManualNanos time = new ManualNanos();
    private final AddressBook book = new AddressBook(LIMITS, time);

    private static ClientAddress address(String text) {
        return ClientAddress.parse(text).require();
    }

    private static Cidr cidr(String text) {
        return Cidr.parse(text).require();
    }

    private Client welcome(ClientAddress address) {
        return assertInstanceOf(Welcome.class, book.connect(address)).client();
    }

    private static int granted(int attempts, BooleanSupplier attempt) {
        return (int)
                IntStream.range(0, attempts).filter(_ -> attempt.getAsBoolean()).count();
    }

    @Test
    void addressHasSoManyConnectionsAndNoMore() {
        var first = welcome(HERE);
        welcome(HERE);
        welcome(HERE);
        assertInstanceOf(TooManyHere.class, book.connect(HERE));
        welcome(THERE);
        first.close();
        welcome(HERE);
        assertInstanceOf(TooManyHere.class, book.connect(HERE));
    }

    @Test
    void networkOfIpv6IsOneAddress() {
        welcome(address("2001:db8:0:1::1"));
        welcome(address("2001:db8:0:1::2"));
        welcome(address("2001:db8:0:1:ffff::"));
        assertInstanceOf(TooManyHere.class, book.connect(address("2001:db8:0:1::3")));
        welcome(address("2001:db8:0:2::1"));
        assertEquals(new AddressFigures(4, 2, 1), book.figures());
    }

    @Test
    void ipv4InsideIpv6IsTheSameAddress() {
        welcome(HERE);
        welcome(address("::ffff:192.0.2.1"));
        welcome(address("::ffff:c000:201"));
        assertInstanceOf(TooManyHere.class, book.connect(HERE));
        welcome(address("::ffff:192.0.2.2"));
        assertEquals(2, book.figures().addresses());
    }

    @Test
    void allAddressesTogetherHaveSoManyConnectionsEvenThoseWithoutLimits() {
        var clients = IntStream.range(0, LIMITS.connectionsMax())
                .mapToObj(i -> welcome(address(i % 2 == 0 ? "127.0.0.1" : "192.0.2." + i)))
                .toList();
        assertInstanceOf(Full.class, book.connect(HERE));
        assertInstanceOf(Full.class, book.connect(address("::1")));
        clients.getFirst().close();
        welcome(HERE);
        assertInstanceOf(Full.class, book.connect(THERE));
    }

    @Test
    void everyRefusalSaysWhenToComeBack() {
        IntStream.range(0, 4).forEach(_ -> welcome(HERE).close());
        assertEquals(new TooFast(Duration.ofSeconds(10)), book.connect(HERE));
        time.advance(Duration.ofMillis(9_999));
        assertEquals(new TooFast(Duration.ofMillis(1)), book.connect(HERE));
        time.advance(Duration.ofMillis(1));
        welcome(HERE).close();
        assertEquals(new TooFast(Duration.ofSeconds(10)), book.connect(HERE));
    }

    @Test
    void fullBookChargesNobody() {
        var others = IntStream.range(10, 16)
                .mapToObj(i -> welcome(address("192.0.2." + i)))
                .toList();
        IntStream.range(0, 50).forEach(_ -> assertInstanceOf(Full.class, book.connect(HERE)));
        others.forEach(Client::close);
        IntStream.range(0, 4).forEach(_ -> welcome(HERE).close());
    }

    @Test
    void tooManyConnectionsChargeNothing() {
        var clients = IntStream.range(0, 3).mapToObj(_ -> welcome(HERE)).toList();
        IntStream.range(0, 50).forEach(_ -> assertInstanceOf(TooManyHere.class, book.connect(HERE)));
        clients.forEach(Client::close);
        welcome(HERE).close();
        assertInstanceOf(TooFast.class, book.connect(HERE));
    }

    @Test
    void connectionsOfAnAddressShareItsMessages() {
        var one = welcome(HERE);
        var other = welcome(HERE);
        var neighbour = welcome(THERE);
        assertEquals(12, granted(12, one::mayPublish));
        assertEquals(8, granted(12, other::mayPublish));
        assertEquals(0, granted(12, one::mayPublish));
        assertEquals(8, granted(12, one::mayQuery));
        assertEquals(20, granted(30, neighbour::mayPublish));
        time.advance(SECOND);
        assertEquals(5, granted(30, other::mayPublish));
        assertEquals(4, granted(30, other::mayQuery));
    }

    @Test
    void reconnectingBringsNothing() {
        var client = welcome(HERE);
        assertEquals(20, granted(30, client::mayPublish));
        client.close();
        assertEquals(0, granted(30, welcome(HERE)::mayPublish));
    }

    @Test
    void restFillsUpToTheBurst() {
        var client = welcome(HERE);
        granted(30, client::mayPublish);
        time.advance(Duration.ofDays(10_000));
        assertEquals(20, granted(30, client::mayPublish));
    }

    @Test
    void closingTwiceIsClosingOnce() {
        var client = welcome(HERE);
        welcome(HERE);
        client.close();
        client.close();
        assertEquals(new AddressFigures(1, 1, 0), book.figures());
    }

    @Test
    void exemptAddressesHaveNoLimitsOfTheirOwn() {
        for (var text : List.of("127.0.0.1", "127.3.2.1", "::1", "203.0.113.9", "2001:db8::5")) {
            IntStream.range(0, 1_000).forEach(_ -> welcome(address(text)).close());
            var clients =
                    IntStream.range(0, 5).mapToObj(_ -> welcome(address(text))).toList();
            assertEquals(1_000, granted(1_000, clients.getFirst()::mayPublish), text);
            assertEquals(1_000, granted(1_000, clients.getFirst()::mayQuery), text);
            assertFalse(clients.getFirst().isAbusive(), text);
            clients.forEach(Client::close);
            assertEquals(0, book.remembered(), text);
        }
    }

    @Test
    void exemptAddressNeitherFreesNorBurdensItsNetwork() {
        welcome(address("2001:db8::5"));
        welcome(address("2001:db8::5"));
        IntStream.range(0, 3).forEach(_ -> welcome(address("2001:db8::6")));
        assertInstanceOf(TooManyHere.class, book.connect(address("2001:db8::7")));
        assertInstanceOf(Welcome.class, book.connect(address("2001:db8::5")));
    }

    @Test
    void figuresCountConnectionsAddressesAndThoseWithMany() {
        assertEquals(new AddressFigures(0, 0, 0), book.figures());
        var here = IntStream.range(0, 2).mapToObj(_ -> welcome(HERE)).toList();
        assertEquals(new AddressFigures(2, 1, 0), book.figures());
        var third = welcome(HERE);
        assertEquals(new AddressFigures(3, 1, 1), book.figures());
        var local = IntStream.range(0, 3).mapToObj(_ -> welcome(address("::1"))).toList();
        assertEquals(new AddressFigures(6, 2, 2), book.figures());
        third.close();
        local.forEach(Client::close);
        assertEquals(new AddressFigures(2, 1, 0), book.figures());
        here.forEach(Client::close);
        assertEquals(new AddressFigures(0, 0, 0), book.figures());
    }

    @Test
    void thirtySecondsOfTenfoldExcessAreAbuse() {
        var client = welcome(HERE);
        for (int second = 1; second <= Excess.SECONDS; second++) {
            granted(49, client::mayPublish);
            assertFalse(client.isAbusive(), "second " + second);
            client.mayPublish();
            assertEquals(second == Excess.SECONDS, client.isAbusive(), "second " + second);
            time.advance(SECOND);
        }
        assertTrue(client.isAbusive());
        assertTrue(welcome(HERE).isAbusive());
        assertFalse(welcome(THERE).isAbusive());
        time.advance(SECOND);
        assertFalse(client.isAbusive());
    }

    @Test
    void oneSecondOfLessBeginsAnew() {
        var client = welcome(HERE);
        for (int second = 0; second < 100; second++) {
            granted(second % 30 == 29 ? 39 : 4_000, client::mayQuery);
            assertFalse(client.isAbusive(), "second " + second);
            time.advance(SECOND);
        }
        time.advance(SECOND);
        for (int second = 0; second < 29; second++) {
            granted(40, client::mayQuery);
            time.advance(SECOND);
        }
        assertFalse(client.isAbusive());
        granted(40, client::mayQuery);
        assertTrue(client.isAbusive());
    }

    @Test
    void eventsAndQueriesDoNotAddUpToAbuse() {
        var client = welcome(HERE);
        for (int second = 0; second < 40; second++) {
            granted(49, client::mayPublish);
            granted(39, client::mayQuery);
            time.advance(SECOND);
        }
        assertFalse(client.isAbusive());
    }

    @Test
    void abuserIsKnownAgainWhenItReconnects() {
        var limits = new AddressLimits(
                9, 9, Rate.perSecond(100, 100), Rate.perSecond(5, 1), Rate.perSecond(5, 1), List.of(), 9, 100);
        var quick = new AddressBook(limits, time);
        for (int second = 0; second < Excess.SECONDS; second++) {
            try (var client =
                    assertInstanceOf(Welcome.class, quick.connect(HERE)).client()) {
                granted(50, client::mayPublish);
            }
            time.advance(SECOND);
        }
        try (var client = assertInstanceOf(Welcome.class, quick.connect(HERE)).client()) {
            assertTrue(client.isAbusive());
        }
    }

    @Test
    void restedAddressesAreForgotten() {
        for (int i = 1; i <= 50; i++) {
            welcome(address("198.51.100." + i)).close();
        }
        assertEquals(50, book.remembered());
        time.advance(Duration.ofMillis(9_999));
        assertInstanceOf(Welcome.class, book.connect(HERE));
        assertEquals(50, book.remembered());
        time.advance(Duration.ofMillis(1));
        IntStream.range(0, 4).forEach(_ -> book.connect(HERE));
        assertEquals(0, book.remembered());
    }

    @Test
    void addressIsRememberedUntilAllItsLimitsHaveRested() {
        var often = Rate.perSecond(1_000, 1_000);
        for (boolean isEvent : List.of(true, false)) {
            var slow = Rate.perSecond(1, 20);
            var limits =
                    new AddressLimits(9, 9, often, isEvent ? slow : often, isEvent ? often : slow, List.of(), 9, 100);
            var slowBook = new AddressBook(limits, time);
            for (int expected : List.of(20, 19)) {
                var client =
                        assertInstanceOf(Welcome.class, slowBook.connect(HERE)).client();
                assertEquals(0, slowBook.remembered());
                assertEquals(expected, granted(30, isEvent ? client::mayPublish : client::mayQuery));
                client.close();
                assertEquals(1, slowBook.remembered());
                time.advance(Duration.ofSeconds(19));
            }
        }
    }

    @Test
    void addressThatRestedWhileConnectedIsForgottenAtOnce() {
        var client = welcome(HERE);
        granted(20, client::mayPublish);
        time.advance(Duration.ofSeconds(10));
        client.close();
        assertEquals(0, book.remembered());
    }

    @Test
    void atTheBoundTheOneUnusedForLongestIsForgotten() {
        for (int i = 0; i < 4; i++) {
            welcome(HERE).close();
            welcome(THERE).close();
        }
        for (int i = 1; i < LIMITS.rememberedMax() - 1; i++) {
            welcome(address("198.51.100." + i)).close();
        }
        assertInstanceOf(TooFast.class, book.connect(HERE)); // used again, by being refused
        assertEquals(LIMITS.rememberedMax(), book.remembered());
        welcome(address("198.51.100.200")).close();
        assertEquals(LIMITS.rememberedMax(), book.remembered());
        assertInstanceOf(TooFast.class, book.connect(HERE));
        assertInstanceOf(Welcome.class, book.connect(THERE));
    }

    @Test
    void hugeRatesAreNoLimit() {
        var rate = Rate.perMinute(Long.MAX_VALUE, Long.MAX_VALUE);
        var bucket = new Bucket(rate, time.getAsLong());
        for (int i = 0; i < 100_000; i++) {
            assertTrue(bucket.take(time.getAsLong()));
        }
        time.advance(Duration.ofDays(50_000));
        assertTrue(bucket.isFull(time.getAsLong()));
        assertEquals(Duration.ZERO, bucket.untilNext(time.getAsLong()));
    }

    @Test
    void limitsThatLetNobodyInAreRefused() {
        var rate = Rate.perSecond(1, 1);
        assertThrows(IllegalArgumentException.class, () -> Rate.perSecond(0, 1));
        assertThrows(IllegalArgumentException.class, () -> Rate.perSecond(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new Rate(1, Duration.ZERO, 1));
        assertThrows(IllegalArgumentException.class, () -> new Rate(1, Duration.ofHours(1), 1));
        assertThrows(IllegalArgumentException.class, () -> new AddressLimits(0, 1, rate, rate, rate, List.of(), 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new AddressLimits(1, 0, rate, rate, rate, List.of(), 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new AddressLimits(1, 1, rate, rate, rate, List.of(), 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new AddressLimits(1, 1, rate, rate, rate, List.of(), 1, -1));
    }

    @Test
    void defaultsAreThoseOfTheSettings() {
        assertEquals(AddressLimits.DEFAULTS, AddressLimits.from(configuration(Map.of())));
    }

    @Test
    void everySettingIsHeeded() {
        var limits = AddressLimits.from(configuration(Map.of(
                "GRAPNEL_MAX_CONNECTIONS", "11",
                "GRAPNEL_CONNECTIONS_PER_IP", "12",
                "GRAPNEL_NEW_CONNECTIONS_PER_MINUTE_PER_IP", "13",
                "GRAPNEL_NEW_CONNECTIONS_BURST_PER_IP", "14",
                "GRAPNEL_EVENTS_PER_SECOND_PER_IP", "15",
                "GRAPNEL_EVENTS_BURST_PER_IP", "16",
                "GRAPNEL_QUERIES_PER_SECOND_PER_IP", "17",
                "GRAPNEL_QUERIES_BURST_PER_IP", "999999999999999999",
                "GRAPNEL_RATE_LIMIT_EXEMPT", "192.0.2.0/24",
                "GRAPNEL_TRUSTED_PROXIES", "10.0.0.0/8")));
        assertEquals(
                new AddressLimits(
                        11,
                        12,
                        Rate.perMinute(13, 14),
                        Rate.perSecond(15, 16),
                        Rate.perSecond(17, Rate.MOST),
                        List.of(cidr("10.0.0.0/8"), cidr("192.0.2.0/24")),
                        10,
                        AddressLimits.REMEMBERED_MAX),
                limits);
        var flags = Map.of("GRAPNEL_METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD", "999999999999999999");
        assertEquals(Integer.MAX_VALUE, AddressLimits.from(configuration(flags)).flaggedAbove());
    }

    private static Configuration configuration(Map<String, String> variables) {
        var outcome = ConfigReader.read(new ConfigSources(Map.of(), variables, Map.of(), ".env"));
        return assertInstanceOf(ConfigReader.Outcome.Good.class, outcome, outcome.toString())
                .configuration();
    }
}
