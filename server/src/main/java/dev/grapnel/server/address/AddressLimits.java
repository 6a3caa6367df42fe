package dev.grapnel.server.address;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/// How much may come from all addresses together and from each (relay 6.6).
///
/// @param connectionsMax of all addresses
/// @param connectionsPerAddress open at the same time
/// @param newConnections of one address
/// @param events that one address may offer
/// @param queries REQ, COUNT and NEG-OPEN of one address
/// @param exempt addresses with no limits of their own, as has this machine
/// @param flaggedAbove so many connections, an address is shown as flagged
/// @param rememberedMax addresses without a connection that are remembered; beyond, the one unused for longest
///     is forgotten, and starts afresh when it comes back
public record AddressLimits(
        int connectionsMax,
        int connectionsPerAddress,
        Rate newConnections,
        Rate events,
        Rate queries,
        List<Cidr> exempt,
        int flaggedAbove,
        int rememberedMax) {
    public static final int REMEMBERED_MAX = 100_000;

    public static final AddressLimits DEFAULTS = new AddressLimits(
            20_000,
            100,
            Rate.perMinute(60, 200),
            Rate.perSecond(50, 1_000),
            Rate.perSecond(50, 500),
            List.of(new Cidr("127.0.0.0", 8), new Cidr("::1", 128)),
            10,
            REMEMBERED_MAX);

    public AddressLimits {
        if (connectionsMax < 1 || connectionsPerAddress < 1) {
            throw new IllegalArgumentException("there must be room for a connection");
        }
        if (flaggedAbove < 1 || rememberedMax < 0) {
            throw new IllegalArgumentException("flaggedAbove must be at least 1 and rememberedMax not negative");
        }
        exempt = List.copyOf(exempt);
    }

    /// As the operator set them. Trusted proxies are exempt: limits are for those behind them.
    public static AddressLimits from(Configuration configuration) {
        return new AddressLimits(
                count(configuration, RelaySettings.MAX_CONNECTIONS),
                count(configuration, RelaySettings.CONNECTIONS_PER_IP),
                Rate.perMinute(
                        configuration.require(RelaySettings.NEW_CONNECTIONS_PER_MINUTE_PER_IP),
                        configuration.require(RelaySettings.NEW_CONNECTIONS_BURST_PER_IP)),
                Rate.perSecond(
                        configuration.require(RelaySettings.EVENTS_PER_SECOND_PER_IP),
                        configuration.require(RelaySettings.EVENTS_BURST_PER_IP)),
                Rate.perSecond(
                        configuration.require(RelaySettings.QUERIES_PER_SECOND_PER_IP),
                        configuration.require(RelaySettings.QUERIES_BURST_PER_IP)),
                Stream.of(ServiceSettings.TRUSTED_PROXIES, RelaySettings.RATE_LIMIT_EXEMPT)
                        .flatMap(setting -> configuration.find(setting).stream())
                        .flatMap(List::stream)
                        .toList(),
                count(configuration, ServiceSettings.METRICS_CONNECTION_PER_IP_ABUSE_THRESHOLD),
                REMEMBERED_MAX);
    }

    private static int count(Configuration configuration, Setting<Long> setting) {
        return (int) Math.min(configuration.require(setting), Integer.MAX_VALUE);
    }

    /// Whether an address has no limits of its own.
    public boolean isExempt(ClientAddress address) {
        return address.isLoopback() || address.isIn(exempt);
    }
}
