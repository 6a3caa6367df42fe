package dev.grapnel.server.sync;

import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.outbound.AddressRules;
import dev.grapnel.outbound.ConnectionSlots;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.Gateway;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.ScriptedNames;
import dev.grapnel.outbound.TimerAlarms;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.Urls;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import dev.grapnel.websocket.Inflation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Sockets with a real loop. Relays of the tests are at `127.0.0.1`, which is open for relays the operator names, and
/// for all others if the test wants it so.
final class SocketsUnderTest implements AutoCloseable {
    static final RelaySockets.Limits LIMITS =
            new RelaySockets.Limits(5 << 20, Flow.Limits.DEFAULTS, Outgoing.Limits.DEFAULTS);

    private static final Duration LIMIT = Duration.ofSeconds(20);

    final SyncThread loop = SyncThread.start(InstantSource.system(), System::nanoTime, SyncThread.Watcher.NONE);
    final OwnCalls calls = new OwnCalls(new SplittableRandom(1));
    final InboundBudget inbound;
    final RelaySockets sockets;
    final RelayDocuments documents;
    private final TimerAlarms alarms = new TimerAlarms();

    SocketsUnderTest() {
        this(AddressRules.allowing(Urls.ranges("127.0.0.1/32")), LIMITS, 256 << 20);
    }

    SocketsUnderTest(AddressRules rules, RelaySockets.Limits limits, long inboundMax) {
        this.inbound = new InboundBudget(inboundMax, limits.messageMax(), System::nanoTime);
        this.sockets = new RelaySockets(
                socketClient(rules, 8),
                socketClient(AddressRules.none(), 100),
                loop,
                calls,
                new RelayMessageReader(MessageLimits.DEFAULTS),
                limits,
                inbound,
                alarms);
        this.documents = new RelayDocuments(client(rules), client(AddressRules.none()), loop);
    }

    private Dialer dialer(AddressRules rules, int most) {
        var names = new ScriptedNames().answer("relay.example", "127.0.0.1").answer("other.example", "127.0.0.1");
        var gateway = new Gateway(rules, Urls.own("git.example.com"), names, Optional.empty());
        var slots = new ConnectionSlots(() -> most, () -> {});
        return new Dialer(gateway, names, slots, Dialer.systemTls(), alarms, System::nanoTime);
    }

    private WebSocketClient socketClient(AddressRules rules, int most) {
        return new WebSocketClient(dialer(rules, most), "Grapnel/1", new Inflation(2), new SplittableRandom(2));
    }

    private Client client(AddressRules rules) {
        return new Client(dialer(rules, 8), UrlShape.relay(), "Grapnel/1", 0);
    }

    static RemoteUrl url(RawServer server) {
        return url("relay.example", server);
    }

    static RemoteUrl url(String host, RawServer server) {
        return RemoteUrl.parse("ws://" + host + ":" + server.port(), UrlShape.relay())
                .require();
    }

    Caller dial(RemoteUrl relay) {
        return dial(relay, false, LIMIT);
    }

    Caller dial(RemoteUrl relay, boolean isConfigured, Duration limit) {
        var caller = new Caller();
        caller.dial = onLoop(() -> sockets.dial(relay, isConfigured, limit, caller));
        return caller;
    }

    <T> T onLoop(Supplier<T> task) {
        var answer = new CompletableFuture<T>();
        loop.post(() -> {
            try {
                answer.complete(task.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    void runOnLoop(Runnable task) {
        onLoop(() -> {
            task.run();
            return true;
        });
    }

    /// What a listener was told.
    sealed interface Told {
        record Opened(Transport.Line line) implements Told {}

        record Refused(int status, Optional<Duration> retryAfter) implements Told {}

        record Failed(Failure failure) implements Told {}

        record Came(Heard heard) implements Told {}

        record Lost(Failure failure) implements Told {}
    }

    /// Whoever called, and what it was told.
    static final class Caller implements Transport.Listener {
        final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
        volatile Consumer<Heard> whenHeard = _ -> {};
        volatile Transport.Dial dial = () -> {};

        Told next() {
            try {
                var next = told.poll(20, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("nothing was told");
                }
                return next;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        Transport.Line line() {
            return ((Told.Opened) next()).line();
        }

        Heard heard() {
            return ((Told.Came) next()).heard();
        }

        Failure lost() {
            return ((Told.Lost) next()).failure();
        }

        Failure failed() {
            return ((Told.Failed) next()).failure();
        }

        @Override
        public void opened(Transport.Line line) {
            told.add(new Told.Opened(line));
        }

        @Override
        public void refused(int status, Optional<Duration> retryAfter) {
            told.add(new Told.Refused(status, retryAfter));
        }

        @Override
        public void failed(Failure failure) {
            told.add(new Told.Failed(failure));
        }

        @Override
        public void heard(Heard heard) {
            whenHeard.accept(heard);
            told.add(new Told.Came(heard));
        }

        @Override
        public void lost(Failure failure) {
            told.add(new Told.Lost(failure));
        }
    }

    @Override
    public void close() {
        sockets.close();
        documents.close();
        loop.close();
        alarms.close();
    }
}
