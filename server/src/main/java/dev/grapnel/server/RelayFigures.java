package dev.grapnel.server;

import dev.grapnel.server.address.AddressBook;
import dev.grapnel.server.live.SubscriptionIndex;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.relay.Relay;

/// Numbers about clients of the relay, for dashboards.
final class RelayFigures {
    private RelayFigures() {}

    static void add(Metrics metrics, Relay relay, AddressBook addresses, SubscriptionIndex index) {
        metrics.gauge(
                "ngit_websocket_unique_ips",
                "Distinct client addresses connected.",
                () -> addresses.figures().addresses());
        metrics.gauge(
                "ngit_websocket_flagged_abusers",
                "Addresses with more connections than the threshold.",
                () -> addresses.figures().flagged());
        metrics.gauge("grapnel_subscriptions", "Open subscriptions.", index::count);
        metrics.gauge("grapnel_subscription_values", "Values under which subscriptions are found.", index::entryCount);
        metrics.gauge("grapnel_subscription_bytes", "Memory of open subscriptions.", relay::filterBytes);
        metrics.gauge("grapnel_negentropy_bytes", "Memory of negentropy sessions.", relay::sessionBytes);
    }
}
