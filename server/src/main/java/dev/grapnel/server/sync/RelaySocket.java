package dev.grapnel.server.sync;

import dev.grapnel.git.client.RetryAfter;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.outbound.Alarms;
import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.websocket.WebSocket;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.outbound.websocket.WebSocketClient.Opened;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One attempt to connect, and the connection it leads to.
///
/// A thread of its own dials, receives and takes messages apart. Whatever it has to tell goes through one queue, so the
/// listener hears it in order; the queue has one task on the loop at a time, which tells a handful. It is bounded by
/// [Flow]: a message has its room before it is in the queue, events until they are decided about, others until they are
/// told.
final class RelaySocket implements Transport.Dial {
    private static final int TEXT_MAX = 1_024;

    /// Of messages that are not handed over; there are a hundred of them at most (R4.24).
    private static final int WHOLE_UNKNOWN = 0;

    private static final Logger LOG = LoggerFactory.getLogger(RelaySocket.class);

    /// Told in one turn of the loop.
    private static final int TOLD_MAX = 64;

    /// The same in bytes, but for the last message: what an event refers to is looked at, too.
    private static final int TOLD_BYTES_MAX = 256 << 10;

    /// From our farewell to that of the peer.
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(1);

    /// A relay that keeps its thread busy for so long is then left alone for three times as long. Virtual threads
    /// are not interrupted in their work: a few relays that send much, which costs them little when it is
    /// compressed, would keep all others, and all clients, from being heard.
    private static final Duration WORK_MAX = Duration.ofMillis(1);

    private static final int REST = 3;

    /// What looked like work may have been a wait for memory.
    private static final Duration REST_MAX = Duration.ofMillis(100);

    /// What the thread has to tell.
    private sealed interface Told {
        record Open(Transport.Line line) implements Told {}

        record Refused(int status, Optional<Duration> retryAfter) implements Told {}

        record Failed(Failure failure) implements Told {}

        record Came(Heard heard, Flow.Undecided room) implements Told {}

        record Lost(Failure failure) implements Told {}
    }

    private final RelaySockets.Parts parts;
    private final WebSocketClient client;
    private final RemoteUrl relay;
    private final Duration limit;
    private final Transport.Listener listener;
    private final Flow flow;
    private final ComingMemory.Share coming;
    private final Cancellation cancellation = new Cancellation();
    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isTelling = new AtomicBoolean();
    private final AtomicBoolean isDialling = new AtomicBoolean(true);
    private final AtomicReference<Optional<Thread>> thread = new AtomicReference<>(Optional.empty());
    /// Why it ends, if that comes from our side.
    private final AtomicReference<Optional<Failure>> ending = new AtomicReference<>(Optional.empty());

    /// Whether what comes waits for room, and until when something last did.
    private volatile boolean isWaiting;

    private volatile long waitedUntil;

    /// Whether it has been said that there is a connection; by the thread alone.
    private boolean hasOpened;

    /// How long messages took since the thread has rested; by the thread alone.
    private long workNanos;

    // ---- the loop's own

    private boolean isOpen;
    private boolean isOver;

    RelaySocket(
            RelaySockets.Parts parts,
            WebSocketClient client,
            RemoteUrl relay,
            Duration limit,
            Transport.Listener listener) {
        this.parts = parts;
        this.client = client;
        this.relay = relay;
        this.limit = limit;
        this.listener = listener;
        this.flow = new Flow(parts.limits().flow(), parts.inbound());
        this.coming = parts.inbound().open(() -> end(new Failure.Timeout(Failure.Limit.RATE)));
        this.waitedUntil = parts.loop().nanos();
    }

    // ---- the loop's side

    @Override
    public void cancel() {
        if (!isOpen) {
            isOver = true;
            abort();
        }
    }

    private void tellSome() {
        try {
            int bytes = 0;
            for (int i = 0; i < TOLD_MAX && bytes < TOLD_BYTES_MAX; i++) {
                var next = told.poll();
                if (next == null) {
                    break;
                }
                bytes += next instanceof Told.Came(var heard, var _) ? heard.bytes() : 0;
                tell(next);
            }
        } finally {
            isTelling.set(false);
            if (!told.isEmpty()) {
                beginTelling();
            }
        }
    }

    private void tell(Told next) {
        switch (next) {
            case Told.Came(var heard, var room) -> hear(heard, room);
            case Told.Open(var line) -> {
                if (!isOver) {
                    isOpen = true;
                    listener.opened(line);
                }
            }
            case Told.Refused(var status, var retryAfter) -> end(() -> listener.refused(status, retryAfter));
            case Told.Failed(var failure) -> end(() -> listener.failed(failure));
            case Told.Lost(var failure) -> end(() -> listener.lost(failure));
        }
    }

    private void hear(Heard heard, Flow.Undecided room) {
        boolean done = false;
        try {
            if (!isOver) {
                listener.heard(heard);
                done = heard instanceof Heard.Delivered;
            }
        } finally {
            if (!done) {
                room.run();
            }
        }
    }

    private void end(Runnable telling) {
        if (!isOver) {
            isOver = true;
            telling.run();
        }
    }

    // ---- any side

    private void add(Told next) {
        told.add(next);
        beginTelling();
    }

    private void beginTelling() {
        if (isTelling.compareAndSet(false, true)) {
            parts.loop().post(this::tellSome);
        }
    }

    /// Hangs up, whatever goes on.
    void abort() {
        end(new Failure.Cancelled());
    }

    private void end(Failure failure) {
        ending.compareAndSet(Optional.empty(), Optional.of(failure));
        cancellation.cancel();
        thread.get().ifPresent(Thread::interrupt); // it may wait for room
    }

    private Failure reason(Failure seen) {
        return ending.get().orElse(seen);
    }

    // ---- the thread's side

    void run() {
        thread.set(Optional.of(Thread.currentThread()));
        try (var call = parts.calls().begin(relay)) {
            if (parts.calls().isOwn(relay)) {
                add(new Told.Failed(ourselves()));
            } else {
                dial(call);
            }
        } catch (RuntimeException | Error e) { // a fault of ours; others go on
            LOG.error("connection to a relay failed relay={}", relay, e);
            add(hasOpened ? new Told.Lost(new Failure.Broken()) : new Told.Failed(new Failure.Broken()));
        } finally {
            thread.set(Optional.empty());
        }
    }

    private static Failure ourselves() {
        return new Failure.Policy(Rule.OWN, "it leads to this service itself");
    }

    private void dial(OwnCalls.Call call) {
        var alarm = parts.alarms().after(limit, this::giveUp);
        try {
            var opened = client.open(relay, parts.limits().socket(limit), List.of(call.header()), coming, cancellation);
            boolean isInTime = isDialling.compareAndSet(true, false);
            alarm.cancel();
            call.close();
            begin(opened, isInTime);
        } catch (OutboundException e) {
            add(new Told.Failed(reason(e.failure())));
        } catch (IOException _) {
            add(new Told.Failed(reason(new Failure.Broken())));
        } finally {
            alarm.cancel();
        }
    }

    private void giveUp() {
        if (isDialling.compareAndSet(true, false)) {
            end(new Failure.Timeout(Failure.Limit.WHOLE));
        }
    }

    private void begin(Opened opened, boolean isInTime) {
        switch (opened) {
            case Opened.Refused(var status, var retryAfter) ->
                add(
                        parts.calls().isOwn(relay)
                                ? new Told.Failed(ourselves())
                                : new Told.Refused(status, retryAfter.flatMap(this::parseRetry)));
            case Opened.Open(var socket) -> add(talkAndClose(socket, isInTime));
        }
    }

    private Optional<Duration> parseRetry(String text) {
        return RetryAfter.parse(text, parts.loop().wall());
    }

    /// Its place is free when the end is told: somebody may wait for that.
    private Told talkAndClose(WebSocket socket, boolean isInTime) {
        try (socket) {
            return isInTime ? talk(socket) : new Told.Failed(reason(new Failure.Timeout(Failure.Limit.WHOLE)));
        }
    }

    private Told talk(WebSocket socket) {
        var outgoing = new Outgoing(socket, parts.limits().outgoing(), parts.unsent(), parts.threads(), this::end);
        hasOpened = true;
        add(new Told.Open(new OpenLine(socket, outgoing)));
        var failure = listen(socket);
        outgoing.forget();
        return new Told.Lost(reason(failure));
    }

    /// @return why it ended
    private Failure listen(WebSocket socket) {
        try {
            while (true) {
                switch (socket.receive()) {
                    case WebSocket.Heard.Message(var text) -> take(text.bytes(), text.length(), socket);
                    case WebSocket.Heard.Binary _ -> came(new Heard.Junk("binary", WHOLE_UNKNOWN));
                    case WebSocket.Heard.Garbled _ -> came(new Heard.Junk("utf8", WHOLE_UNKNOWN));
                    case WebSocket.Heard.Closed _ -> {
                        return new Failure.Broken();
                    }
                }
                workNanos += socket.takeWorkNanos();
                rest();
            }
        } catch (OutboundException e) {
            return oversized(e.failure());
        } catch (IOException _) {
            return new Failure.Broken();
        } catch (InterruptedException _) {
            return new Failure.Cancelled(); // only we interrupt, and what was in hand has not come
        }
    }

    private void rest() {
        if (workNanos >= WORK_MAX.toNanos()) {
            LockSupport.parkNanos(Math.min(REST * workNanos, REST_MAX.toNanos()));
            workNanos = 0;
        }
    }

    private Failure oversized(Failure failure) {
        if (failure instanceof Failure.TooLarge) {
            try {
                came(new Heard.Junk("size", WHOLE_UNKNOWN));
            } catch (InterruptedException _) {
                return new Failure.Cancelled();
            }
        }
        return failure;
    }

    private void came(Heard heard) throws InterruptedException {
        if (ending.get().isEmpty()) {
            add(new Told.Came(heard, takeRoom(1)));
        }
    }

    private void take(byte[] bytes, int length, WebSocket socket) throws InterruptedException {
        if (ending.get().isPresent()) {
            return; // we hang up already
        }
        coming.whole();
        var room = takeRoom(length);
        socket.letGo();
        long begun = parts.loop().nanos();
        add(new Told.Came(read(bytes, length, room), room));
        workNanos += parts.loop().nanos() - begun;
    }

    private Flow.Undecided takeRoom(int bytes) throws InterruptedException {
        isWaiting = true;
        try {
            return flow.take(bytes);
        } finally {
            waitedUntil = parts.loop().nanos();
            isWaiting = false;
        }
    }

    private Heard read(byte[] bytes, int length, Runnable decided) {
        return switch (parts.reader().read(bytes, 0, length)) {
            case ParsedRelayMessage.Read(RelayMessage.Delivery(var id, var event)) ->
                new Heard.Delivered(id, event, length, decided);
            case ParsedRelayMessage.Read(var message) -> new Heard.Said(brief(message), length);
            case ParsedRelayMessage.BadEvent(var _, var _, var defect) -> bad(defect, length);
            case ParsedRelayMessage.Unknown _ -> new Heard.Unknown("unknown", length);
            case ParsedRelayMessage.Malformed _ -> new Heard.Junk("json", length);
        };
    }

    /// Texts are searched for what they mean, which takes seconds for one of megabytes; what they mean stands at their
    /// beginning.
    private static RelayMessage brief(RelayMessage message) {
        return switch (message) {
            case RelayMessage.Notice(var text) -> new RelayMessage.Notice(brief(text));
            case RelayMessage.Closed(var id, var text) -> new RelayMessage.Closed(id, brief(text));
            case RelayMessage.NegError(var id, var text, var limit) ->
                new RelayMessage.NegError(id, brief(text), limit);
            case RelayMessage.Ok(var id, var accepted, var text) -> new RelayMessage.Ok(id, accepted, brief(text));
            case RelayMessage.Delivery _,
                    RelayMessage.EndOfStored _,
                    RelayMessage.Counted _,
                    RelayMessage.Challenge _,
                    RelayMessage.NegMessage _ -> message;
        };
    }

    private static String brief(String text) {
        return text.substring(0, Math.min(text.length(), TEXT_MAX));
    }

    /// Events that are larger than we take are no fault of the relay that has them.
    private static Heard bad(EventDefect defect, int length) {
        return switch (defect.kind()) {
            case WRONG_ID -> new Heard.Junk("hash", length);
            case TAGS_EXCEEDED, TAG_VALUE_TOO_LONG, CONTENT_TOO_LONG, EVENT_TOO_LARGE ->
                new Heard.Unknown("large_event", length);
            case FIELD_MISSING,
                    FIELD_TWICE,
                    WRONG_TYPE,
                    OUT_OF_RANGE,
                    NOT_HEX,
                    LONE_SURROGATE,
                    EMPTY_TAG,
                    WRONG_SIGNATURE -> new Heard.Junk("event", length);
        };
    }

    /// The open connection as the loop uses it.
    private final class OpenLine implements Transport.Line {
        private final WebSocket socket;
        private final Outgoing outgoing;

        OpenLine(WebSocket socket, Outgoing outgoing) {
            this.socket = socket;
            this.outgoing = outgoing;
        }

        @Override
        public String machine() {
            return socket.machine();
        }

        @Override
        public void send(Bytes text, Runnable written) {
            outgoing.add(new Outgoing.Item.Text(
                    text,
                    () -> parts.loop().post(() -> {
                        if (!isOver) {
                            written.run();
                        }
                    })));
        }

        @Override
        public void ping() {
            outgoing.add(new Outgoing.Item.Ping());
        }

        @Override
        public long heardAt() {
            return socket.heardAt();
        }

        @Override
        public long silentSince() {
            return isWaiting ? parts.loop().nanos() : Math.max(waitedUntil, socket.heardAt());
        }

        @Override
        public void close() {
            if (ending.compareAndSet(Optional.empty(), Optional.of(new Failure.Cancelled()))) {
                outgoing.add(new Outgoing.Item.Farewell());
                Alarms.Alarm _ = parts.alarms().after(FAREWELL_MAX, RelaySocket.this::abort);
            }
        }
    }
}
