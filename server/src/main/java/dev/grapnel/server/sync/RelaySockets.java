package dev.grapnel.server.sync;

import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.outbound.Alarms;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.websocket.SocketLimits;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Connections to other relays, each with a virtual thread of its own.
///
/// Relays that the operator names are dialled through a client whose addresses nobody checks (R1.16, P-816), all others
/// through one that keeps to P-815.
public final class RelaySockets implements Transport, AutoCloseable {
    /// What a relay may cost.
    ///
    /// @param messageMax bytes of a message (R4.24)
    record Limits(int messageMax, Flow.Limits flow, Outgoing.Limits outgoing) {
        /// The loop asks whether a relay is there long before, and hangs up itself (R4.25).
        private static final Duration SILENCE = Duration.ofMinutes(2);

        /// From the first byte of a message to its last.
        private static final Duration MESSAGE = Duration.ofSeconds(60);

        /// A link may last for ever.
        private static final Duration WHOLE = Duration.ofDays(36_500);

        /// Besides what [Outgoing] keeps there are pongs.
        private static final int PONGS_MAX = 64 << 10;

        SocketLimits socket(Duration dialling) {
            var line = new LineLimits(dialling, dialling, dialling, SILENCE, 0, WHOLE, WHOLE);
            return new SocketLimits(line, messageMax, MESSAGE, PONGS_MAX);
        }
    }

    /// What all connections share.
    ///
    /// @param unsent bytes that wait to be sent
    record Parts(
            Scheduler loop,
            OwnCalls calls,
            RelayMessageReader reader,
            Limits limits,
            InboundBudget inbound,
            AtomicLong unsent,
            Alarms alarms,
            ExecutorService threads) {}

    private static final Duration FAREWELL_MAX = Duration.ofSeconds(1);

    private final WebSocketClient announced;
    private final WebSocketClient configured;
    private final Parts parts;
    private final Set<RelaySocket> sockets = ConcurrentHashMap.newKeySet();

    /// @param announced for relays that events name
    /// @param configured for relays that the operator names
    /// @param alarms by the clock of the loop
    RelaySockets(
            WebSocketClient announced,
            WebSocketClient configured,
            Scheduler loop,
            OwnCalls calls,
            RelayMessageReader reader,
            Limits limits,
            InboundBudget inbound,
            Alarms alarms) {
        this.announced = announced;
        this.configured = configured;
        this.parts = new Parts(
                loop,
                calls,
                reader,
                limits,
                inbound,
                new AtomicLong(),
                alarms,
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("relay-", 0).factory()));
    }

    @Override
    public Dial dial(RemoteUrl relay, boolean isConfigured, Duration limit, Listener listener) {
        var socket = new RelaySocket(parts, isConfigured ? configured : announced, relay, limit, listener);
        sockets.add(socket);
        try {
            parts.threads().execute(() -> {
                try {
                    socket.run();
                } finally {
                    sockets.remove(socket);
                }
            });
        } catch (RejectedExecutionException _) { // the server stops
            sockets.remove(socket);
            parts.loop().post(() -> listener.failed(new Failure.Cancelled()));
        }
        return socket;
    }

    /// Attempts and connections there are.
    public int count() {
        return sockets.size();
    }

    /// Bytes that wait to be sent.
    public long unsentBytes() {
        return parts.unsent().get();
    }

    /// Bytes that came and nobody has decided about.
    public long inboundBytes() {
        return parts.inbound().used();
    }

    /// Hangs up everywhere.
    @Override
    public void close() {
        parts.threads().shutdown();
        sockets.forEach(RelaySocket::abort);
        try {
            var _ = parts.threads().awaitTermination(FAREWELL_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }
}
