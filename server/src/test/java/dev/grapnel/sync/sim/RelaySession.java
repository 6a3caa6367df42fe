package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import dev.grapnel.sync.sim.RelayRecord.Limit;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/// What one connection has open at a relay, and what it is answered.
final class RelaySession implements Endpoint.Session {
    private final SimRelay relay;
    private final RelayModel model;
    private final Endpoint.Peer peer;
    private final RelayRecord.Usage usage;
    private final String challenge;
    private final Map<SubscriptionId, Subscription> subscriptions = new LinkedHashMap<>();
    private final Map<SubscriptionId, Reconciliation> sessions = new LinkedHashMap<>();
    private final Allowance queries;
    private final Allowance frames;
    private boolean isAuthenticated;
    private boolean isAnswering;
    private boolean isOver;

    /// @param isLive whether it wants nothing stored
    record Subscription(List<Filter> filters, int bytes, boolean isLive) {
        boolean matches(Event event) {
            return filters.stream().anyMatch(filter -> filter.matches(event));
        }
    }

    private record Reconciliation(NegentropyResponder responder, int items) {}

    RelaySession(SimRelay relay, Endpoint.Peer peer) {
        this.relay = relay;
        this.model = relay.model();
        this.peer = peer;
        this.usage = relay.record().connected(peer.number(), peer.client(), time().nanos());
        this.challenge = "challenge-" + peer.number();
        this.queries = new Allowance(model.queriesPerMinute);
        this.frames = new Allowance(model.framesPerMinute);
    }

    void begin() {
        if (model.auth != RelayModel.Auth.NEVER) {
            say(new RelayMessage.Challenge(challenge));
        }
        relay.lie().connected(this);
    }

    VirtualScheduler time() {
        return relay.time();
    }

    RandomGenerator random() {
        return relay.random();
    }

    SimRelay relay() {
        return relay;
    }

    boolean isOver() {
        return isOver;
    }

    /// The filters that are open for what comes, subscription by subscription.
    List<Filter> live() {
        return subscriptions.values().stream()
                .filter(Subscription::isLive)
                .flatMap(subscription -> subscription.filters().stream())
                .toList();
    }

    /// Whether what is said now is the stored part of an answer.
    boolean isAnswering() {
        return isAnswering;
    }

    /// How many messages wait for the reader.
    int pending() {
        return peer.pending();
    }

    /// Sends a message as it is.
    void send(RelayMessage message) {
        if (message instanceof RelayMessage.Delivery) {
            relay.record().delivered();
        }
        peer.send(message);
    }

    /// Sends anything.
    void sendRaw(Bytes text) {
        peer.sendRaw(text);
    }

    private void say(RelayMessage message) {
        relay.lie().say(message, this);
    }

    String client() {
        return peer.client();
    }

    /// Hangs up.
    void hangUp() {
        peer.closeByRelay();
    }

    @Override
    public void ended() {
        isOver = true;
        subscriptions.clear();
        sessions.clear();
        update();
        relay.left(this, !isAuthMissing());
    }

    // ---- messages

    @Override
    public void received(Bytes text) {
        if (isOver) {
            return;
        }
        usage.frame();
        if (text.length() > model.messageBytesMax) {
            note(Limit.MESSAGE_BYTES, "");
            hangUp();
            return;
        }
        if (!frames.take()) {
            note(Limit.FRAMES, "");
            return;
        }
        time().after(model.thinking, () -> {
            if (!isOver) {
                read(text);
            }
        });
    }

    private void read(Bytes text) {
        switch (SimRelay.READER.read(text.toArray())) {
            case ParsedClientMessage.Read(var message) -> handle(message, text.length());
            case ParsedClientMessage.Nothing() -> {}
            case ParsedClientMessage.Refused(var reply) -> {
                relay.malformed(reply);
                say(reply);
            }
        }
    }

    private void handle(ClientMessage message, int bytes) {
        switch (message) {
            case ClientMessage.Subscribe(var id, var filters) -> subscribe(id, filters, bytes);
            case ClientMessage.Unsubscribe(var id) -> {
                if (relay.lie().heedsClose()) {
                    subscriptions.remove(id);
                    update();
                }
            }
            case ClientMessage.NegOpen(var id, var filter, var first) -> open(id, filter, first, bytes);
            case ClientMessage.NegMessage(var id, var next) -> reconcile(id, next);
            case ClientMessage.NegClose(var id) -> {
                sessions.remove(id);
                update();
            }
            case ClientMessage.Authenticate(var event) -> authenticate(event);
            case ClientMessage.Publish(var event) -> {
                relay.published(peer.client(), event);
                say(new RelayMessage.Ok(event.id().toHex(), false, "blocked: nobody publishes here"));
            }
            case ClientMessage.Count(var id, var _) -> say(new RelayMessage.Closed(id, "unsupported: COUNT"));
        }
    }

    // ---- REQ

    private void subscribe(SubscriptionId id, List<Filter> filters, int bytes) {
        relay.record()
                .asked(new RelayRecord.Request(
                        time().nanos(), peer.client(), peer.number(), Purpose.of(id, filters), id, filters, bytes));
        if (isRefused(id, filters, bytes)) {
            subscriptions.remove(id);
            update();
            return;
        }
        boolean isLive = Purpose.of(id, filters) == Purpose.LIVE;
        subscriptions.put(id, new Subscription(filters, bytes, isLive));
        update();
        var found = answer(filters);
        isAnswering = true;
        found.forEach(event -> say(new RelayMessage.Delivery(id, event)));
        say(new RelayMessage.EndOfStored(id, Completeness.UNSTATED));
        isAnswering = false;
        if (model.closesSatisfiedIds && isSatisfied(filters, found)) {
            subscriptions.remove(id);
            update();
            say(new RelayMessage.Closed(id, ""));
        }
    }

    private List<Event> answer(List<Filter> filters) {
        var found = new ArrayList<Event>();
        Set<EventId> ids = new HashSet<>();
        for (var filter : filters) {
            var read = relay.lie().read(filter);
            for (var event : relay.lie().find(relay.shelf().find(read, mostOf(read)))) {
                if (ids.add(event.id())) {
                    found.add(event);
                }
            }
        }
        return found;
    }

    private int mostOf(Filter filter) {
        long asked = filter.limit().orElse(filter.ids().map(List::size).orElse(model.pageDefault));
        return (int) Math.min(asked, filter.ids().isPresent() ? Math.max(model.pageMax, 500) : model.pageMax);
    }

    private static boolean isSatisfied(List<Filter> filters, List<Event> found) {
        return filters.stream().allMatch(filter -> filter.ids().isPresent())
                && filters.stream()
                                .mapToInt(filter -> filter.ids().orElseThrow().size())
                                .sum()
                        == found.size();
    }

    /// The order is that in which the existing server looks.
    private boolean isRefused(SubscriptionId id, List<Filter> filters, int bytes) {
        var word = relay.lie().refuse(random());
        if (word.isPresent()) {
            return refuse(id, Limit.QUERIES, word.get());
        }
        if (!queries.take()) {
            return refuse(id, Limit.QUERIES, model.tooManyQueries);
        }
        if (!subscriptions.containsKey(id) && openSlots() >= model.subscriptionsMax) {
            return refuseSlot(id, Limit.SUBSCRIPTIONS, model.tooManySubscriptions);
        }
        if (filters.size() > model.filtersMax) {
            var count = Integer.toString(filters.size());
            return refuse(id, Limit.FILTERS, model.tooManyFilters.replace("{n}", count));
        }
        if (openBytesWithout(id) + bytes > model.openBytesMax) {
            return refuse(id, Limit.OPEN_BYTES, model.tooManyBytes);
        }
        if (filters.stream().anyMatch(filter -> bytesOfLongestCondition(filter) > model.conditionBytesMax)) {
            return refuse(id, Limit.VALUES, model.tooManyValues);
        }
        if (isAuthMissing()) {
            return refuse(id, Limit.AUTH, model.authRequired);
        }
        if (!model.takesLimitZero
                && filters.stream().anyMatch(filter -> filter.limit().orElse(-1) == 0)) {
            return refuse(id, Limit.LIMIT_ZERO, model.limitZeroRefused);
        }
        return false;
    }

    private boolean isAuthMissing() {
        return switch (model.auth) {
            case NEVER, OFFERED -> false;
            case FOR_REQUESTS -> !isAuthenticated;
            case IN_VAIN -> true;
        };
    }

    private int openSlots() {
        return model.isOneBudget ? subscriptions.size() + sessions.size() : subscriptions.size();
    }

    private int openBytesWithout(SubscriptionId id) {
        return subscriptions.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(id))
                .mapToInt(entry -> entry.getValue().bytes())
                .sum();
    }

    /// Ids are kept as bytes, other values as text.
    private static int bytesOfLongestCondition(Filter filter) {
        int ids = filter.ids().map(list -> list.size() * EventId.BYTES).orElse(0);
        int values = filter.tags().stream()
                .mapToInt(condition -> condition.values().toList().stream()
                        .mapToInt(value -> condition.letter() == 'e' || condition.letter() == 'p' ? 32 : value.length())
                        .sum())
                .max()
                .orElse(0);
        return Math.max(ids, values);
    }

    private boolean refuse(SubscriptionId id, Limit limit, String text) {
        note(limit, text);
        say(new RelayMessage.Closed(id, text));
        return true;
    }

    private boolean refuseSlot(SubscriptionId id, Limit limit, String text) {
        note(limit, text);
        say(model.way == RelayModel.Way.NOTICE ? new RelayMessage.Notice(text) : new RelayMessage.Closed(id, text));
        return true;
    }

    private void note(Limit limit, String text) {
        relay.record().refused(new RelayRecord.Refusal(time().nanos(), peer.client(), peer.number(), limit, text));
    }

    /// Ends a subscription from this side.
    void end(SubscriptionId id, String text) {
        if (subscriptions.remove(id) != null) {
            update();
            send(new RelayMessage.Closed(id, text));
        }
    }

    /// The ids of what is open.
    List<SubscriptionId> open() {
        return List.copyOf(subscriptions.keySet());
    }

    /// What an open subscription asks for.
    List<Filter> filters(SubscriptionId id) {
        var subscription = subscriptions.get(id);
        return subscription == null ? List.of() : subscription.filters();
    }

    /// An event has just come to this relay.
    void deliver(Event event) {
        if (peer.pending() > model.backlogMax) {
            overflow();
        }
        subscriptions.forEach((id, subscription) -> {
            if (subscription.matches(event)) {
                say(new RelayMessage.Delivery(id, event));
            }
        });
    }

    private void overflow() {
        note(Limit.BACKLOG, model.backlogTooLong);
        var ended = open();
        subscriptions.clear();
        update();
        ended.forEach(id -> say(new RelayMessage.Closed(id, model.backlogTooLong)));
    }

    /// Ends all live subscriptions with the word of one who is too slow.
    void lag() {
        overflow();
    }

    private void update() {
        usage.subscriptions = subscriptions.size();
        usage.sessions = sessions.size();
        usage.liveBytes = subscriptions.values().stream()
                .filter(Subscription::isLive)
                .mapToInt(Subscription::bytes)
                .sum();
        relay.record().changed(usage);
    }

    // ---- negentropy

    private void open(SubscriptionId id, Filter filter, Bytes first, int bytes) {
        relay.record()
                .asked(new RelayRecord.Request(
                        time().nanos(), peer.client(), peer.number(), Purpose.NEGENTROPY, id, List.of(filter), bytes));
        switch (model.negentropy) {
            case RelayModel.Negentropy.Spoken() -> reconcile(id, filter, first);
            case RelayModel.Negentropy.Notice(var text) -> say(new RelayMessage.Notice(text));
            case RelayModel.Negentropy.Refusal(var text) -> error(id, text, OptionalLong.empty());
            case RelayModel.Negentropy.Silence() -> {}
        }
    }

    private void reconcile(SubscriptionId id, Filter filter, Bytes first) {
        var word = relay.lie().refuse(random());
        if (word.isPresent()) {
            refuseSession(id, Limit.QUERIES, word.get());
            return;
        }
        if (!queries.take()) {
            refuseSession(id, Limit.QUERIES, model.tooManyQueries);
            return;
        }
        int taken = model.isOneBudget ? openSlots() : sessions.size();
        if (!sessions.containsKey(id) && taken >= model.sessionsMax) {
            note(Limit.SESSIONS, model.tooManySessions);
            if (model.way == RelayModel.Way.NOTICE) {
                say(new RelayMessage.Notice(model.tooManySessions));
            } else {
                error(id, model.tooManySessions, OptionalLong.empty());
            }
            return;
        }
        if (bytesOfLongestCondition(filter) > model.conditionBytesMax) {
            note(Limit.VALUES, model.tooManyValues);
            say(new RelayMessage.Notice(model.tooManyValues.replace("bad req", "negentropy error")));
            return;
        }
        if (isAuthMissing()) {
            refuseSession(id, Limit.AUTH, model.authRequired);
            return;
        }
        var items = relay.lie().items(relay.shelf().items(filter), random());
        int others = sessions.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(id))
                .mapToInt(entry -> entry.getValue().items())
                .sum();
        if (others + items.size() > model.negItemsMax) {
            note(Limit.ITEMS, model.tooManyItems);
            error(id, model.tooManyItems, OptionalLong.of(model.negItemsMax));
            return;
        }
        sessions.put(id, new Reconciliation(new NegentropyResponder(items, model.negFrameBytes), items.size()));
        update();
        respond(id, first);
    }

    private void refuseSession(SubscriptionId id, Limit limit, String text) {
        note(limit, text);
        error(id, text, OptionalLong.empty());
    }

    private void reconcile(SubscriptionId id, Bytes next) {
        if (model.countsNegMessages && !queries.take()) {
            refuseSession(id, Limit.QUERIES, model.tooManyQueries);
        } else if (sessions.containsKey(id)) {
            respond(id, next);
        } else {
            error(id, model.unknownSession, OptionalLong.empty());
        }
    }

    private void respond(SubscriptionId id, Bytes theirs) {
        var invented = relay.lie().reconcile(random());
        if (invented.isPresent()) {
            say(new RelayMessage.NegMessage(id, invented.get()));
            return;
        }
        switch (Objects.requireNonNull(sessions.get(id)).responder().respond(theirs)) {
            case Parsed.Valid<Bytes>(var ours) -> say(new RelayMessage.NegMessage(id, ours));
            case Parsed.Invalid<Bytes>(var reason) -> error(id, "invalid: " + reason, OptionalLong.empty());
        }
    }

    private void error(SubscriptionId id, String text, OptionalLong number) {
        sessions.remove(id);
        update();
        say(new RelayMessage.NegError(id, text, number));
    }

    // ---- AUTH

    private void authenticate(Event event) {
        relay.authenticated(peer.client());
        boolean isRight = event.isSigned()
                && event.tags().values("challenge").contains(challenge)
                && model.auth != RelayModel.Auth.IN_VAIN;
        isAuthenticated |= isRight;
        say(new RelayMessage.Ok(
                event.id().toHex(), isRight, isRight ? "" : "restricted: you are not on the list of this relay"));
    }

    /// So many in each minute.
    private final class Allowance {
        private final int perMinute;
        private long minute = -1;
        private int taken;

        Allowance(int perMinute) {
            this.perMinute = perMinute;
        }

        boolean take() {
            long now = time().nanos() / Duration.ofMinutes(1).toNanos();
            taken = now == minute ? taken + 1 : 1;
            minute = now;
            return taken <= perMinute;
        }
    }
}
