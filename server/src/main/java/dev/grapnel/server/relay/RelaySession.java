package dev.grapnel.server.relay;

import dev.grapnel.config.RelaySettings.Auth;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Lane;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.server.address.Client;
import dev.grapnel.server.relay.RelayMeter.Incoming;
import dev.grapnel.server.websocket.Conversation;
import dev.grapnel.server.websocket.Peer;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.websocket.CloseCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client's session: what each of its messages leads to.
///
/// Messages come one at a time, on the thread that reads the connection; answers to events come on the
/// store's writer, live events on the matcher, the rest of long answers on the scan pool.
final class RelaySession implements Conversation {
    static final Refusal INTERNAL_ERROR = new Refusal(Prefix.ERROR, "internal error, the operator has been told");

    private static final Logger LOG = LoggerFactory.getLogger(RelaySession.class);
    private static final Refusal SLOW_DOWN = new Refusal(Prefix.RATE_LIMITED, "slow down");
    private static final Refusal AUTHENTICATE = new Refusal(Prefix.AUTH_REQUIRED, "authenticate first");
    private static final Refusal STOPPING = new Refusal(Prefix.ERROR, "shutting down");
    private static final Refusal SESSION_STOPPING = new Refusal(Prefix.CLOSED, "shutting down");
    private static final Refusal NO_COUNT = Refusal.unsupported("COUNT is switched off here");
    private static final Refusal NO_BINARY = Refusal.unsupported("messages are text, not binary");
    private static final int NOTICES_PER_MINUTE = 50;
    private static final int BINARY_MAX = 10;
    /// Answers that may wait before nothing more is asked.
    private static final long ANSWER_BYTES_MAX = 8L << 20;

    private final Relay relay;
    private final Peer peer;
    private final Client client;
    private final Answers answers;
    private final Authentication authentication;
    private final Subscriptions subscriptions;
    private final Questions questions;
    private final Workload workload = new Workload();
    private final Lane lane = new Lane();
    private final Recent notices;
    private final long beganAt;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean farewell = new AtomicBoolean();
    private volatile boolean stopping;
    private int binaries;

    RelaySession(Relay relay, Peer peer, Client client) {
        this.relay = relay;
        this.peer = peer;
        this.client = client;
        this.answers = new Answers(peer, relay.meter(), relay.config().outboundMax());
        this.authentication = new Authentication(relay.config(), relay.random(), relay.nanoTime());
        this.subscriptions = new Subscriptions(
                relay.config(),
                relay.index(),
                relay.filterMemory(),
                peer,
                answers,
                authentication::viewer,
                relay.clock(),
                relay.nanoTime());
        this.questions = new Questions(relay, peer, answers, subscriptions, workload, asker(client));
        this.notices = new Recent(NOTICES_PER_MINUTE, relay.nanoTime());
        this.beganAt = relay.nanoTime().getAsLong();
    }

    /// Behind a proxy that does not tell addresses all clients have its own.
    private Object asker(Client asking) {
        var address = asking.address();
        return address.isLoopback() ? this : address.counted();
    }

    /// Says what comes before anything is asked.
    void begin() {
        LOG.debug("client connected address={}", client.address());
        if (relay.config().auth() == Auth.REQUIRED) {
            authentication.challenge().ifPresent(answers::send);
        }
    }

    // ---- messages

    @Override
    public void text(byte[] message, int length) {
        var type = Command.guess(message, length);
        relay.meter().received(type);
        LOG.debug("message type={} bytes={} address={}", type, length, client.address());
        boolean allowed = switch (type) {
            case EVENT -> client.mayPublish();
            case REQ, COUNT, NEG_OPEN -> client.mayQuery();
            case CLOSE, AUTH, NEG_MSG, NEG_CLOSE, OTHER -> true;
        };
        if (!allowed && client.isAbusive()) {
            LOG.info("client cut off address={} reason=flood", client.address());
            peer.close(CloseCode.POLICY, "far too many messages");
            peer.stopReading();
            return;
        }
        switch (relay.reader().read(message, 0, length)) {
            case ParsedClientMessage.Nothing _ -> {}
            case ParsedClientMessage.Refused(var reply) -> refuse(type, unlessUnknown(type, reply));
            case ParsedClientMessage.Read(var read) -> {
                if (!allowed) {
                    refuse(read, SLOW_DOWN);
                } else if (authentication.isMissing()) {
                    admitUnknown(read);
                } else {
                    handle(read, length);
                }
            }
        }
    }

    private void handle(ClientMessage message, int length) {
        switch (message) {
            case ClientMessage.Publish(var event) -> publish(event);
            case ClientMessage.Subscribe(var id, var filters) -> subscribe(id, filters, length);
            case ClientMessage.Unsubscribe(var id) -> subscriptions.end(id);
            case ClientMessage.Count(var id, var filters) -> count(id, filters, length);
            case ClientMessage.Authenticate(var event) -> authenticate(event);
            case ClientMessage.NegOpen(var id, var filter, var first) -> negOpen(id, filter, first, length);
            case ClientMessage.NegMessage(var id, var next) -> questions.goOn(id, next);
            case ClientMessage.NegClose(var id) -> questions.end(id);
        }
    }

    /// What may be done before authenticating, where that is required (relay 5.2).
    private void admitUnknown(ClientMessage message) {
        switch (message) {
            case ClientMessage.Authenticate(var event) -> authenticate(event);
            case ClientMessage.Unsubscribe _ -> {} // nothing can be open
            case ClientMessage.Publish _,
                    ClientMessage.Subscribe _,
                    ClientMessage.Count _,
                    ClientMessage.NegOpen _,
                    ClientMessage.NegMessage _,
                    ClientMessage.NegClose _ -> refuse(message, AUTHENTICATE);
        }
    }

    /// A message that was understood is not done.
    private void refuse(ClientMessage message, Refusal refusal) {
        switch (message) {
            case ClientMessage.Publish(var event) -> {
                relay.meter().offered(event.kind());
                refuse(event, refusal);
            }
            case ClientMessage.Authenticate(var event) ->
                answers.send(RelayMessage.refused(event.id().toString(), refusal));
            case ClientMessage.Subscribe(var id, var _) -> {
                subscriptions.end(id);
                answers.closed(id, refusal);
            }
            case ClientMessage.Count(var id, var _) -> answers.closed(id, refusal);
            case ClientMessage.NegOpen(var id, var _, var _) -> {
                questions.end(id);
                answers.send(RelayMessage.negError(id, refusal));
            }
            case ClientMessage.NegMessage _, ClientMessage.NegClose _, ClientMessage.Unsubscribe _ ->
                answers.send(RelayMessage.notice(refusal));
        }
    }

    /// Where authentication is required, it comes before everything else that could be said (relay 5.2).
    private RelayMessage unlessUnknown(Incoming type, RelayMessage reply) {
        if (!authentication.isMissing() || type == Incoming.AUTH || type == Incoming.CLOSE) {
            return reply;
        }
        return switch (reply) {
            case RelayMessage.Notice _ -> RelayMessage.notice(AUTHENTICATE);
            case RelayMessage.Closed(var id, var _) -> RelayMessage.closed(id, AUTHENTICATE);
            case RelayMessage.Ok(var id, var _, var _) -> RelayMessage.refused(id, AUTHENTICATE);
            case RelayMessage.NegError(var id, var _, var _) -> RelayMessage.negError(id, AUTHENTICATE);
            case RelayMessage.Delivery _,
                    RelayMessage.EndOfStored _,
                    RelayMessage.Counted _,
                    RelayMessage.Challenge _,
                    RelayMessage.NegMessage _ -> reply;
        };
    }

    /// A malformed message is answered as its reader says. What is open under its id ends all the same
    /// (relay 2.5).
    private void refuse(Incoming type, RelayMessage reply) {
        switch (reply) {
            case RelayMessage.Notice _ -> {
                if (!notices.take()) {
                    peer.close(CloseCode.POLICY, "many messages that cannot be understood");
                    peer.stopReading();
                    return;
                }
            }
            case RelayMessage.Closed(var id, var _) -> {
                if (type == Incoming.REQ) {
                    subscriptions.end(id);
                }
            }
            case RelayMessage.NegError(var id, var _, var _) -> questions.end(id);
            case RelayMessage.Ok(var id, var _, var _)
            when type == Incoming.AUTH -> {
                var obstacle = authentication.judgeAttempt();
                if (obstacle.isPresent()) {
                    answers.send(RelayMessage.refused(id, obstacle.get()));
                    return;
                }
            }
            case RelayMessage.Ok _ -> {
                relay.meter().offered(RelayMeter.UNKNOWN_KIND);
                relay.meter().refused(RelayMeter.UNKNOWN_KIND, Prefix.INVALID);
            }
            case RelayMessage.Delivery _,
                    RelayMessage.EndOfStored _,
                    RelayMessage.Counted _,
                    RelayMessage.Challenge _,
                    RelayMessage.NegMessage _ ->
                throw new IllegalStateException("not an answer to a mistake: " + reply);
        }
        answers.send(reply);
    }

    @Override
    public void binary() {
        relay.meter().received(Incoming.OTHER);
        binaries++;
        if (binaries > BINARY_MAX) {
            peer.close(CloseCode.UNACCEPTABLE, "messages are text, not binary");
            peer.stopReading();
        } else {
            refuse(Incoming.OTHER, RelayMessage.notice(NO_BINARY));
        }
    }

    // ---- events

    private void publish(Event event) {
        int length = event.json().length();
        relay.meter().offered(event.kind());
        workload.beginEvent(length);
        var origin = new Origin.Direct(authentication.keys(), authentication.isOffered());
        relay.admission().admit(lane, event, origin, (admitted, problem) -> {
            try {
                answer(event, admitted, problem);
            } catch (RuntimeException | Error failure) { // on a thread of others, who need not hear of it
                relay.meter().failed();
                LOG.error("answer not given id={}", event.id(), failure);
            } finally {
                finishEvent(length);
            }
        });
    }

    private void answer(Event event, @Nullable Admitted admitted, @Nullable Throwable problem) {
        if (admitted == null) {
            relay.meter().failed();
            LOG.error("event not decided id={}", event.id(), problem);
            refuse(event, INTERNAL_ERROR);
        } else if (admitted instanceof Admitted.Refused(var refusal, var _)) {
            refuse(event, refusal);
        } else if (admitted instanceof Admitted.Stored(SaveOutcome.Refused(var refusal, var _))) {
            refuse(event, refusal);
        } else {
            if (admitted instanceof Admitted.Stored(var outcome) && !(outcome instanceof SaveOutcome.Known)) {
                relay.meter().stored(event.kind());
            }
            answers.send(new RelayMessage.Ok(event.id().toString(), admitted.isAccepted(), admitted.message()));
        }
        peer.flushSoon();
    }

    private void refuse(Event event, Refusal refusal) {
        if (refusal.prefix() == Prefix.AUTH_REQUIRED) {
            authentication.challenge().ifPresent(answers::send);
        }
        relay.meter().refused(event.kind(), refusal.prefix());
        answers.send(RelayMessage.refused(event.id().toString(), refusal));
    }

    private void finishEvent(int length) {
        workload.finishEvent(length);
        if (stopping) {
            sayFarewell();
        } else if (!isSaturated()) {
            peer.resumeReading();
        }
    }

    // ---- questions

    private void subscribe(SubscriptionId id, List<Filter> filters, int length) {
        subscriptions.end(id);
        var obstacle = RestrictedReading.judgeQuery(filters, authentication.viewer(), authentication.isOffered());
        if (obstacle.isPresent()) {
            challenge();
            answers.closed(id, obstacle.get());
        } else {
            subscriptions
                    .open(id, filters, length)
                    .ifPresent(subscription -> questions.scan(subscription, authentication.viewer()));
        }
    }

    private void count(SubscriptionId id, List<Filter> filters, int length) {
        var obstacle = relay.config().counts()
                ? RestrictedReading.judgeCount(filters, authentication.viewer(), authentication.isOffered())
                : Optional.of(NO_COUNT);
        if (obstacle.isPresent()) {
            if (obstacle.get().prefix() == Prefix.AUTH_REQUIRED) {
                challenge();
            }
            answers.closed(id, obstacle.get());
        } else {
            questions.count(id, filters, length, authentication.viewer());
        }
    }

    private void negOpen(SubscriptionId id, Filter filter, Bytes message, int length) {
        questions.end(id);
        var obstacle =
                RestrictedReading.judgeQuery(List.of(filter), authentication.viewer(), authentication.isOffered());
        if (obstacle.isPresent()) {
            challenge();
            answers.send(RelayMessage.negError(id, obstacle.get()));
        } else {
            questions.reconcile(id, filter, message, length, authentication.viewer());
        }
    }

    private void authenticate(Event event) {
        var refusal = authentication.prove(event, relay.service(), relay.clock().instant());
        answers.send(refusal.<RelayMessage>map(
                        reason -> RelayMessage.refused(event.id().toString(), reason))
                .orElseGet(() -> new RelayMessage.Ok(event.id().toString(), true, "")));
    }

    private void challenge() {
        authentication.challenge().ifPresent(answers::send);
    }

    // ---- life

    @Override
    public boolean isSaturated() {
        return workload.isSaturated() || peer.unsentMemory() > ANSWER_BYTES_MAX;
    }

    @Override
    public void drained() {
        questions.goOnScanning();
        if (!isSaturated()) {
            peer.resumeReading();
        }
    }

    @Override
    public boolean isIdle() {
        return subscriptions.isEmpty() && questions.isEmpty() && workload.isEmpty();
    }

    @Override
    public void look(long nanoTime) {
        questions.look(nanoTime);
    }

    /// The server stops: nothing more is read, and when every event was answered the client is told that
    /// all is over.
    void stop() {
        stopping = true;
        peer.stopReading();
        sayFarewell();
    }

    private void sayFarewell() {
        if (workload.hasNoEvents() && farewell.compareAndSet(false, true)) {
            subscriptions.endAll(STOPPING);
            questions.endAll(SESSION_STOPPING);
            peer.close(CloseCode.GOING_AWAY, "shutting down");
        }
    }

    @Override
    public void ended() {
        if (over.compareAndSet(false, true)) {
            subscriptions.forgetAll();
            questions.forgetAll();
            client.close();
            LOG.debug("client gone address={}", client.address());
            relay.ended(this, Duration.ofNanos(relay.nanoTime().getAsLong() - beganAt));
        }
    }
}
