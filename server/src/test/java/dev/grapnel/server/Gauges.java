package dev.grapnel.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what a server says about itself.
final class Gauges {
    static final String CONNECTIONS = "ngit_websocket_connections_active";
    static final String SUBSCRIPTIONS = "grapnel_subscriptions";
    /// What must be nothing when nobody is connected.
    private static final List<String> ALL = List.of(
            CONNECTIONS,
            SUBSCRIPTIONS,
            "grapnel_subscription_values",
            "grapnel_subscription_bytes",
            "grapnel_negentropy_bytes",
            "grapnel_arrival_bytes",
            "grapnel_live_waiting");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Gauges() {}

    static void await(RelayUnderTest relay, String name, double value) {
        awaitThat(name + " to be " + value, () -> relay.metric(name) == value);
    }

    static void awaitNothing(RelayUnderTest relay) {
        ALL.forEach(name -> await(relay, name, 0));
    }

    /// Nobody tells when these change, so they are looked at again and again.
    static void awaitThat(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }
}
