package dev.grapnel.sync.sim;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Endpoint.Welcome;
import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The network as one life of a node sees it. After a crash the next life gets another.
final class NodePort implements Transport, InformationSource {
    /// All links together (R4.26).
    static final long UNDECIDED_BYTES_MAX = 256L << 20;

    private static final Duration INFORMATION_LIMIT = Duration.ofSeconds(5);

    private final SimNetwork network;
    private final String name;
    private final Set<SimConnection> connections = new LinkedHashSet<>();
    private boolean isAlive = true;
    private boolean isFull;
    private int undecided;
    private long undecidedBytes;
    private long undecidedBytesMost;
    private long decisionMost;
    private int sentMost;
    private int untilAlarm;
    private Runnable alarm = () -> {};

    NodePort(SimNetwork network, String name) {
        this.network = network;
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return isAlive;
    }

    /// The connections that are open, in the order in which they were opened.
    List<SimConnection> connections() {
        return List.copyOf(connections);
    }

    /// Events that came over any connection, those that are over included, and have no outcome.
    int undecided() {
        return undecided;
    }

    /// The most bytes that were ever undecided.
    long undecidedBytesMost() {
        return undecidedBytesMost;
    }

    /// The longest time that an event ever was undecided (I2).
    Duration decisionMost() {
        return Duration.ofNanos(decisionMost);
    }

    /// The most messages that were ever sent over one connection in a second (R3.15).
    int sentPerSecondMost() {
        return sentMost;
    }

    void sent(int inSecond) {
        sentMost = Math.max(sentMost, inSecond);
    }

    /// Calls somebody once after so many more messages have come, whatever they are.
    void afterHeard(int messages, Runnable work) {
        untilAlarm = messages;
        alarm = work;
    }

    void heard() {
        if (untilAlarm > 0 && --untilAlarm == 0) {
            network.time().post(alarm);
        }
    }

    // ---- Transport

    @Override
    public Dial dial(RemoteUrl relay, boolean isConfigured, Duration limit, Listener listener) {
        var attempt = new Attempt(relay, limit, listener);
        attempt.begin();
        return attempt;
    }

    private final class Attempt implements Dial {
        private final RemoteUrl relay;
        private final Duration limit;
        private final Listener listener;
        private final Climate climate;
        private final long begun;
        private boolean isOver;

        Attempt(RemoteUrl relay, Duration limit, Listener listener) {
            this.relay = relay;
            this.limit = limit;
            this.listener = listener;
            this.climate = network.climate(name, relay);
            this.begun = network.time().nanos();
        }

        /// Name, connection, TLS and handshake: three times there and back.
        void begin() {
            network.time().trace(relay.text().hashCode());
            var endpoint = network.find(relay);
            var welcome = climate.handshake()
                    .or(() -> endpoint.map(found -> found.welcome(name)))
                    .orElse(new Welcome.Failed(new Failure.NoSuchName()));
            var wait = climate.latency().multipliedBy(6);
            switch (welcome) {
                case Welcome.Granted _
                when wait.compareTo(limit) < 0 && !climate.isSwallowed() ->
                    finish(wait, () -> open(endpoint.orElseThrow()));
                case Welcome.Granted _, Welcome.Silent _ ->
                    after(
                            limit,
                            DialRecord.Result.FAILED,
                            () -> listener.failed(new Failure.Timeout(Failure.Limit.CONNECT)));
                case Welcome.Refused(var status, var retryAfter) ->
                    after(wait, DialRecord.Result.STATUS, status, () -> listener.refused(status, retryAfter));
                case Welcome.Failed(var failure) -> after(wait, resultOf(failure), () -> listener.failed(failure));
            }
        }

        private static DialRecord.Result resultOf(Failure failure) {
            return switch (failure) {
                case Failure.NoSuchName _ -> DialRecord.Result.NO_SUCH_NAME;
                case Failure.CertificateInvalid _, Failure.HandshakeRefused _ -> DialRecord.Result.TLS;
                default -> DialRecord.Result.FAILED;
            };
        }

        private void after(Duration wait, DialRecord.Result result, Runnable work) {
            after(wait, result, 0, work);
        }

        private void after(Duration wait, DialRecord.Result result, int status, Runnable work) {
            finish(wait, () -> {
                note(result, status);
                work.run();
            });
        }

        private void finish(Duration wait, Runnable work) {
            network.time().after(wait, () -> {
                if (!isOver && isAlive) {
                    isOver = true;
                    work.run();
                }
            });
        }

        private void note(DialRecord.Result result, int status) {
            network.note(new DialRecord(name, relay, begun, network.time().nanos(), result, status));
        }

        private void open(Endpoint endpoint) {
            if (network.find(relay).filter(endpoint::equals).isEmpty()) { // it ended while we shook hands
                note(DialRecord.Result.FAILED, 0);
                listener.failed(new Failure.Broken());
                return;
            }
            note(DialRecord.Result.OPENED, 0);
            var connection = new SimConnection(network, NodePort.this, relay, network.nextNumber(), climate, listener);
            connections.add(connection);
            listener.opened(connection);
            connection.join(endpoint.accept(connection));
        }

        @Override
        public void cancel() {
            if (!isOver) {
                isOver = true;
                note(DialRecord.Result.CANCELLED, 0);
            }
        }
    }

    // ---- InformationSource

    @Override
    public void ask(RemoteUrl relay, boolean isConfigured, Consumer<Optional<RelayInformation>> answer) {
        var climate = network.climate(name, relay);
        var wait = climate.latency().multipliedBy(8);
        boolean isSilent = climate.isSwallowed()
                || climate.handshake().filter(Welcome.Silent.class::isInstance).isPresent()
                || wait.compareTo(INFORMATION_LIMIT) >= 0;
        var found = climate.handshake().isPresent() || isSilent
                ? Optional.<RelayInformation>empty()
                : network.find(relay).map(endpoint -> endpoint.information().orElse(RelayInformation.NONE));
        network.time().after(isSilent ? INFORMATION_LIMIT : wait, () -> {
            if (isAlive) {
                answer.accept(found);
            }
        });
    }

    // ---- of its connections

    boolean isFull() {
        isFull |= undecidedBytes >= UNDECIDED_BYTES_MAX;
        return isFull;
    }

    void undecided(int bytes) {
        undecided++;
        undecidedBytes += bytes;
        undecidedBytesMost = Math.max(undecidedBytesMost, undecidedBytes);
    }

    void decided(int bytes, long nanos) {
        undecided--;
        undecidedBytes -= bytes;
        decisionMost = Math.max(decisionMost, nanos);
    }

    /// There is room again.
    void resumeAll() {
        if (isFull && undecidedBytes < UNDECIDED_BYTES_MAX) {
            isFull = false;
            List.copyOf(connections).forEach(SimConnection::resumeAlone);
        }
    }

    void forget(SimConnection connection, Failure failure) {
        connections.remove(connection);
        network.note(new LinkRecord(
                name,
                connection.relay(),
                connection.opened(),
                network.time().nanos(),
                failure instanceof Failure.Cancelled));
    }

    /// Ends this life: nothing is told to anybody here any more.
    void crash() {
        isAlive = false;
        for (var connection : new ArrayList<>(connections)) {
            connection.abandon();
        }
        connections.clear();
    }
}
