package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// An open connection, both sides of it.
///
/// What the relay says waits in [#inbound] until its time has come and the node has room for it (R4.26): at most a
/// thousand events or a mebibyte undecided. Each message is one step of the world. Messages of one subscription stay in
/// order; others may overtake each other if the weather says so.
final class SimConnection implements Transport.Line, Endpoint.Peer {
    static final int UNDECIDED_MAX = 1_000;
    static final int UNDECIDED_BYTES_MAX = 1 << 20;

    /// After so long without a pong a relay gives a client up.
    private static final Duration RELAY_PATIENCE = Duration.ofMinutes(2);

    private final SimNetwork network;
    private final NodePort node;
    private final RemoteUrl relay;
    private final long number;
    private final Climate climate;
    private final Transport.Listener listener;
    private final PriorityQueue<Frame> inbound = new PriorityQueue<>();
    private final Map<String, Long> lanes = new HashMap<>();
    private Endpoint.@Nullable Session session;
    private final long opened;
    private long sent;
    private long toRelayAt;
    private long lastLane;
    private long second;
    private int sentInSecond;
    private boolean isPumping;
    private boolean isEnding;
    private boolean isOver;
    private boolean isSwallowed;
    private long heardAt;
    private long pongAt = Long.MAX_VALUE;
    private int undecided;
    private long undecidedBytes;

    private record Frame(long at, long number, Bytes text) implements Comparable<Frame> {
        @Override
        public int compareTo(Frame other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    SimConnection(
            SimNetwork network,
            NodePort node,
            RemoteUrl relay,
            long number,
            Climate climate,
            Transport.Listener listener) {
        this.network = network;
        this.node = node;
        this.relay = relay;
        this.number = number;
        this.climate = climate;
        this.listener = listener;
        this.opened = network.time().nanos();
        this.heardAt = opened;
    }

    @Override
    public String machine() {
        return relay.text();
    }

    void join(Endpoint.Session other) {
        session = other;
    }

    long opened() {
        return opened;
    }

    RemoteUrl relay() {
        return relay;
    }

    @Override
    public String client() {
        return node.name();
    }

    @Override
    public long number() {
        return number;
    }

    // ---- the node's side

    @Override
    public void send(Bytes text, Runnable written) {
        if (isOver) {
            return;
        }
        node.sent(countSent());
        network.tap().sent(this, text);
        network.time().post(() -> {
            if (!isOver) {
                written.run();
            }
        });
        if (isBroken() || isEnding || network.happens(climate.loss())) {
            return;
        }
        toRelayAt = Math.max(toRelayAt, network.time().nanos() + delay());
        network.time().at(toRelayAt, () -> arrive(text));
    }

    /// How many were sent in this second.
    private int countSent() {
        long now = network.time().nanos() / 1_000_000_000;
        sentInSecond = now == second ? sentInSecond + 1 : 1;
        second = now;
        return sentInSecond;
    }

    private void arrive(Bytes text) {
        var other = session;
        if (other != null && !isEnding && !isBroken()) {
            network.arrived(text);
            other.received(text);
        }
    }

    @Override
    public void ping() {
        if (!isOver && !isEnding && !isBroken() && pongAt == Long.MAX_VALUE) {
            pongAt = network.time().nanos() + 2 * climate.latency().toNanos();
        }
    }

    @Override
    public long heardAt() {
        noticePong();
        return heardAt;
    }

    private void noticePong() {
        if (pongAt <= network.time().nanos()) {
            heardAt = Math.max(heardAt, pongAt);
            pongAt = Long.MAX_VALUE;
        }
    }

    @Override
    public void close() {
        if (!isOver) {
            end(new Failure.Cancelled());
        }
    }

    /// The node is no more: nobody is told anything.
    void abandon() {
        if (!isOver) {
            isOver = true;
            network.tap().ended(this);
            leave();
        }
    }

    // ---- the relay's side

    @Override
    public void send(RelayMessage message) {
        enqueue(message.json(), laneOf(message));
    }

    @Override
    public void sendRaw(Bytes text) {
        enqueue(text, "");
    }

    private static String laneOf(RelayMessage message) {
        return switch (message) {
            case RelayMessage.Delivery(var id, var _) -> id.text();
            case RelayMessage.EndOfStored(var id, var _) -> id.text();
            case RelayMessage.Closed(var id, var _) -> id.text();
            case RelayMessage.Counted counted -> counted.id().text();
            case RelayMessage.NegMessage(var id, var _) -> "negentropy " + id.text();
            case RelayMessage.NegError(var id, var _, var _) -> "negentropy " + id.text();
            case RelayMessage.Notice _, RelayMessage.Challenge _, RelayMessage.Ok _ -> "";
        };
    }

    @Override
    public int pending() {
        return inbound.size();
    }

    /// Ends it from the other side, after what was sent.
    @Override
    public void closeByRelay() {
        if (!isEnding && !isOver) {
            isEnding = true;
            pump();
        }
    }

    private void enqueue(Bytes text, String lane) {
        if (isOver || isEnding || isBroken() || network.happens(climate.loss())) {
            return;
        }
        put(text, lane);
        if (network.happens(climate.repetition())) {
            put(text, lane);
        }
        if (network.happens(climate.cut())) {
            network.time().post(() -> cut(new Failure.Broken()));
        }
        pump();
    }

    private void put(Bytes text, String lane) {
        long at = network.time().nanos() + delay();
        if (climate.disorder().isZero() && lanes.isEmpty()) {
            lastLane = Math.max(lastLane, at);
            inbound.add(new Frame(lastLane, sent++, text));
        } else {
            long extra = climate.disorder().isZero()
                    ? 0
                    : network.random().nextLong(climate.disorder().toNanos());
            long after = Math.max(lanes.getOrDefault(lane, lastLane), at + extra);
            lanes.put(lane, after);
            inbound.add(new Frame(after, sent++, text));
        }
    }

    private long delay() {
        long jitter = climate.jitter().toNanos();
        return climate.latency().toNanos() + (jitter == 0 ? 0 : network.random().nextLong(jitter));
    }

    // ---- between them

    private boolean isBroken() {
        isSwallowed |= climate.isSwallowed();
        if (isSwallowed && pongAt > network.time().nanos()) {
            pongAt = Long.MAX_VALUE;
        }
        return isSwallowed;
    }

    /// From now on it is half open, whatever the weather becomes.
    void swallow() {
        noticePong();
        isSwallowed = true;
        pongAt = Long.MAX_VALUE;
    }

    private void pump() {
        if (isPumping || isOver || isFull()) {
            return;
        }
        var next = inbound.peek();
        if (next == null && !isEnding) {
            return;
        }
        isPumping = true;
        long at = next == null ? network.time().nanos() + climate.latency().toNanos() : next.at();
        network.time().at(at, this::deliver);
    }

    private boolean isFull() {
        return undecided >= UNDECIDED_MAX || undecidedBytes >= UNDECIDED_BYTES_MAX || node.isFull();
    }

    private void deliver() {
        isPumping = false;
        if (isOver || isBroken()) {
            return;
        }
        var next = inbound.peek();
        if (next == null) {
            if (isEnding) {
                end(new Failure.Broken());
            }
            return;
        }
        if (next.at() > network.time().nanos() || isFull()) {
            pump();
            return;
        }
        inbound.remove();
        hear(next.text());
        pump();
    }

    private void hear(Bytes text) {
        heardAt = network.time().nanos();
        network.arrived(text);
        var decision = new Decision(text.length());
        var heard = Hearing.of(text, decision);
        if (heard instanceof Heard.Delivered) {
            decision.begin();
        }
        network.tap().heard(this, heard);
        listener.heard(heard);
        node.heard();
    }

    /// Counts what the node has not decided about.
    private final class Decision implements Runnable {
        private final int bytes;
        private long begun;
        private boolean isOpen;

        Decision(int bytes) {
            this.bytes = bytes;
        }

        void begin() {
            isOpen = true;
            begun = network.time().nanos();
            undecided++;
            undecidedBytes += bytes;
            node.undecided(bytes);
        }

        @Override
        public void run() {
            if (isOpen) {
                boolean wasFull = isFull();
                isOpen = false;
                undecided--;
                undecidedBytes -= bytes;
                node.decided(bytes, network.time().nanos() - begun);
                if (wasFull) {
                    network.time().post(SimConnection.this::resume);
                }
            }
        }
    }

    void resume() {
        node.resumeAll();
        pump();
    }

    void resumeAlone() {
        pump();
    }

    /// Breaks it now; whatever is on its way is gone.
    void cut(Failure failure) {
        if (!isOver) {
            end(failure);
        }
    }

    private void end(Failure failure) {
        isOver = true;
        inbound.clear();
        network.tap().ended(this);
        node.forget(this, failure);
        network.time().post(() -> {
            if (node.isAlive()) {
                listener.lost(failure);
            }
        });
        leave();
    }

    private void leave() {
        var other = session;
        if (other != null) {
            var patience = isSwallowed ? RELAY_PATIENCE : climate.latency();
            network.time().after(patience, other::ended);
        }
    }
}
