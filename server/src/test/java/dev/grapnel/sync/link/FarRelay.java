package dev.grapnel.sync.link;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterLimits;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Transport;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A relay that does what a test says, and remembers every frame with its time. Unless told otherwise it is honest,
/// answers at once, and knows no negentropy.
final class FarRelay {
    private static final ClientMessageReader READER = new ClientMessageReader(new MessageLimits(
            EventLimits.DEFAULTS, new FilterLimits(100_000, 10_000_000, 100, false), SubscriptionId.LENGTH_MAX, true));

    final RemoteUrl url;
    final List<Frame> frames = new ArrayList<>();
    /// When each attempt to connect began, in seconds.
    final List<Long> dials = new ArrayList<>();
    /// When each ping came, or would have, in seconds.
    final List<Long> pings = new ArrayList<>();
    /// How long it takes until a connection that we close is over.
    Duration closing = Duration.ZERO;
    /// How long it takes until a frame of ours is written.
    Duration writing = Duration.ZERO;

    private final VirtualScheduler time;
    private final List<Event> kept = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Attempt> waiting = new ArrayList<>();
    private Consumer<Asked> manner = this::serve;
    private Consumer<ClientMessage> otherwise = _ -> {};
    private Consumer<SubscriptionId> comparing = id -> refuse(id, "unsupported: no NIP-77");
    private Door door = Door.OPEN;
    private boolean isDeaf;
    /// Whether nobody reads what it says, for want of room.
    boolean isUnread;
    RelayInformation information = RelayInformation.NONE;
    /// Whether it cannot be asked for that.
    boolean isInformationLost;
    /// How often it was asked for that.
    int informationAsked;
    int pageMax = 500;
    /// The most subscriptions that were ever open at once, refused ones left out.
    int mostOpen;

    /// What becomes of those who knock.
    enum Door {
        OPEN,
        /// They wait until it is opened.
        AJAR,
        SHUT,
        /// They are told by HTTP to come later.
        BUSY
    }

    /// A message that came.
    ///
    /// @param at in nanoseconds
    /// @param connection counted from 1
    record Frame(long at, int connection, ClientMessage message, int bytes) {
        /// In seconds since the beginning.
        double second() {
            return at / 1e9;
        }
    }

    /// A REQ that came.
    record Asked(Frame frame, SubscriptionId id, List<Filter> filters) {
        double second() {
            return frame.second();
        }

        int connection() {
            return frame.connection();
        }

        /// Which role it has by its id (R3.9).
        char role() {
            return id.text().charAt(0);
        }

        boolean isLive() {
            return role() == 'a' || role() == 'l';
        }

        boolean isHistoric() {
            return role() == 'h';
        }

        boolean isCatchUp() {
            return role() == 'c';
        }

        boolean isAnnouncements() {
            return filters.stream()
                    .anyMatch(filter -> filter.tags().isEmpty()
                            && filter.kinds().orElse(List.of()).contains(30_617));
        }

        /// Values asked for by a letter.
        List<String> values(char letter) {
            return filters.stream()
                    .flatMap(filter -> valuesOf(filter, letter).stream())
                    .toList();
        }

        /// The letters it asks by, one for each filter; blank for announcements.
        String letters() {
            var text = new StringBuilder();
            filters.forEach(filter -> text.append(
                    filter.tags().isEmpty() ? " " : filter.tags().getFirst().letter()));
            return text.toString();
        }

        boolean names(String value) {
            return filters.stream()
                    .anyMatch(filter -> filter.tags().stream()
                            .anyMatch(tag -> tag.values().toList().contains(value)));
        }

        OptionalLong since() {
            return filters.getFirst().since();
        }
    }

    static List<String> valuesOf(Filter filter, char letter) {
        return filter.tags().stream()
                .filter(tag -> tag.letter() == letter)
                .flatMap(tag -> tag.values().toList().stream())
                .toList();
    }

    FarRelay(RemoteUrl url, VirtualScheduler time) {
        this.url = url;
        this.time = time;
    }

    // ---- what it is like

    /// From now on this answers every REQ.
    void manner(Consumer<Asked> other) {
        manner = other;
    }

    /// What answers every REQ now.
    Consumer<Asked> manner() {
        return manner;
    }

    /// It serves these and leaves others without any answer.
    void servesOnly(Predicate<Asked> which) {
        manner = asked -> {
            if (which.test(asked)) {
                serve(asked);
            }
        };
    }

    /// It closes these with some words and serves others.
    void closes(Predicate<Asked> which, String text) {
        manner = asked -> {
            if (which.test(asked)) {
                close(asked.id(), text);
            } else {
                serve(asked);
            }
        };
    }

    void honest() {
        manner = this::serve;
    }

    /// This answers every NEG-OPEN.
    void comparing(Consumer<SubscriptionId> other) {
        comparing = other;
    }

    /// What answers every NEG-OPEN now.
    Consumer<SubscriptionId> comparing() {
        return comparing;
    }

    /// It knows negentropy.
    void compares() {
        comparing = this::compare;
    }

    private void compare(SubscriptionId id) {
        var opening = (ClientMessage.NegOpen) frames.getLast().message();
        var items = NegentropyItems.builder(0, 1_000);
        kept.stream().filter(opening.filter()::matches).forEach(event -> items.add(event.createdAt(), event.id()));
        var answer = new NegentropyResponder(items.seal(), 0).respond(opening.message());
        say(new RelayMessage.NegMessage(id, answer.require()));
    }

    /// This answers everything else.
    void otherwise(Consumer<ClientMessage> other) {
        otherwise = other;
    }

    void messageMax(int bytes) {
        inform(OptionalInt.of(bytes), OptionalInt.empty());
    }

    void subscriptionsMax(int count) {
        inform(OptionalInt.empty(), OptionalInt.of(count));
    }

    private void inform(OptionalInt messages, OptionalInt subscriptions) {
        information = new RelayInformation(
                messages, subscriptions, OptionalInt.empty(), OptionalInt.empty(), false, Optional.empty());
    }

    /// Neither reads nor answers any more, pings included.
    void setDeaf(boolean now) {
        isDeaf = now;
    }

    /// It has an event that nobody is told of.
    void keep(Event event) {
        kept.add(event);
    }

    /// It has an event, and tells whoever listens.
    void publish(Event event) {
        keep(event);
        connections.forEach(connection -> connection.open.forEach((id, filters) -> {
            if (filters.stream().anyMatch(filter -> filter.matches(event))) {
                connection.say(new RelayMessage.Delivery(id, event));
            }
        }));
    }

    // ---- connections

    /// Ends the connection.
    void drop() {
        List.copyOf(connections).forEach(connection -> connection.end(new Failure.Broken()));
    }

    void door(Door next) {
        door = next;
        if (next == Door.OPEN) {
            var all = List.copyOf(waiting);
            waiting.clear();
            all.forEach(Attempt::admit);
        }
    }

    boolean isConnected() {
        return !connections.isEmpty();
    }

    Transport.Dial dial(Transport.Listener listener) {
        var attempt = new Attempt(listener);
        dials.add(time.nanos() / 1_000_000_000);
        switch (door) {
            case OPEN -> time.post(attempt::admit);
            case AJAR -> waiting.add(attempt);
            case BUSY ->
                time.post(() -> {
                    if (!attempt.isOver) {
                        listener.refused(429, Optional.empty());
                    }
                });
            case SHUT ->
                time.post(() -> {
                    if (!attempt.isOver) {
                        listener.failed(new Failure.ConnectFailed());
                    }
                });
        }
        return attempt;
    }

    private final class Attempt implements Transport.Dial {
        private final Transport.Listener listener;
        private boolean isOver;

        Attempt(Transport.Listener listener) {
            this.listener = listener;
        }

        void admit() {
            if (!isOver) {
                isOver = true;
                var connection = new Connection(listener, ++opened);
                connections.add(connection);
                listener.opened(connection);
            }
        }

        @Override
        public void cancel() {
            isOver = true;
        }
    }

    private int opened;

    /// How many connections there ever were.
    int opened() {
        return opened;
    }

    /// Whoever is connected now.
    Connection connection() {
        return connections.getLast();
    }

    /// One connection; it can still speak after it is over, as a slow transport would.
    final class Connection implements Transport.Line {
        final Map<SubscriptionId, List<Filter>> open = new LinkedHashMap<>();
        private final Transport.Listener listener;
        private final int number;
        private long heardAt = time.nanos();
        private boolean isOver;

        Connection(Transport.Listener listener, int number) {
            this.listener = listener;
            this.number = number;
        }

        @Override
        public String machine() {
            return "far";
        }

        @Override
        public void send(Bytes text, Runnable written) {
            Runnable arrival = () -> {
                if (!isOver) {
                    written.run();
                    if (!isDeaf) {
                        receive(text);
                    }
                }
            };
            if (writing.isZero()) {
                time.post(arrival);
            } else {
                time.after(writing, arrival);
            }
        }

        private void receive(Bytes text) {
            if (READER.read(text.toArray()) instanceof ParsedClientMessage.Read(var message)) {
                var frame = new Frame(time.nanos(), number, message, text.length());
                frames.add(frame);
                switch (message) {
                    case ClientMessage.Subscribe(var id, var filters) -> {
                        open.put(id, filters);
                        manner.accept(new Asked(frame, id, filters));
                        mostOpen = Math.max(mostOpen, open.size());
                    }
                    case ClientMessage.Unsubscribe(var id) -> open.remove(id);
                    case ClientMessage.NegOpen(var id, var _, var _) -> comparing.accept(id);
                    case ClientMessage.Publish _,
                            ClientMessage.Count _,
                            ClientMessage.Authenticate _,
                            ClientMessage.NegMessage _,
                            ClientMessage.NegClose _ -> otherwise.accept(message);
                }
            } else {
                throw new AssertionError("not a message: " + text);
            }
        }

        /// Says something, at once.
        void say(RelayMessage message) {
            say(message, 0);
        }

        /// The same with many spaces in it.
        void say(RelayMessage message, int bytes) {
            time.post(() -> {
                if (!isDeaf) {
                    heardAt = time.nanos();
                    listener.heard(
                            message instanceof RelayMessage.Delivery(var id, var event)
                                    ? new Heard.Delivered(
                                            id,
                                            event,
                                            Math.max(bytes, event.json().length()),
                                            () -> {})
                                    : new Heard.Said(message, bytes));
                }
            });
        }

        @Override
        public void ping() {
            pings.add(time.nanos() / 1_000_000_000);
            if (!isDeaf) {
                heardAt = time.nanos();
            }
        }

        @Override
        public long heardAt() {
            return heardAt;
        }

        @Override
        public long silentSince() {
            return isUnread ? time.nanos() : heardAt;
        }

        @Override
        public void close() {
            time.after(closing, () -> end(new Failure.Cancelled()));
        }

        private void end(Failure failure) {
            if (!isOver) {
                isOver = true;
                connections.remove(this);
                time.post(() -> listener.lost(failure));
            }
        }
    }

    // ---- answers

    void say(RelayMessage message) {
        connection().say(message);
    }

    /// The same with many spaces in it.
    void say(RelayMessage message, int bytes) {
        connection().say(message, bytes);
    }

    void notice(String text) {
        say(new RelayMessage.Notice(text));
    }

    /// Ends a subscription from this side.
    void close(SubscriptionId id, String text) {
        connection().open.remove(id);
        say(new RelayMessage.Closed(id, text));
    }

    /// Refuses a comparison.
    void refuse(SubscriptionId id, String text) {
        say(new RelayMessage.NegError(id, text, OptionalLong.empty()));
    }

    void eose(SubscriptionId id) {
        say(new RelayMessage.EndOfStored(id, Completeness.UNSTATED));
    }

    /// Answers as an honest relay does.
    void serve(Asked asked) {
        deliver(asked);
        eose(asked.id());
    }

    /// Sends what is stored, and no EOSE.
    void deliver(Asked asked) {
        Set<Event> found = new LinkedHashSet<>();
        for (var filter : asked.filters()) {
            kept.stream()
                    .filter(filter::matches)
                    .sorted(Comparator.comparingLong(Event::createdAt).reversed())
                    .limit(Math.min(pageMax, filter.limit().orElse(pageMax)))
                    .forEach(found::add);
        }
        found.forEach(event -> say(new RelayMessage.Delivery(asked.id(), event)));
    }

    /// Answers after a while, unless the connection is over by then.
    void serveAfter(Duration wait, Asked asked) {
        int number = opened;
        time.after(wait, () -> {
            if (number == opened && isConnected()) {
                serve(asked);
            }
        });
    }

    // ---- what came

    List<Asked> asked() {
        return frames.stream()
                .filter(frame -> frame.message() instanceof ClientMessage.Subscribe)
                .map(frame -> {
                    var request = (ClientMessage.Subscribe) frame.message();
                    return new Asked(frame, request.id(), request.filters());
                })
                .toList();
    }

    List<Asked> asked(Predicate<Asked> which) {
        return asked().stream().filter(which).toList();
    }

    /// What was asked since a moment of the clock.
    List<Asked> askedSince(long nanos) {
        return asked(one -> one.frame().at() >= nanos);
    }

    /// How many messages of one kind came.
    long count(Class<? extends ClientMessage> kind) {
        return frames.stream().filter(frame -> kind.isInstance(frame.message())).count();
    }

    /// Ids of the CLOSE frames since a moment.
    List<String> closedSince(long nanos) {
        return frames.stream()
                .filter(frame -> frame.at() >= nanos)
                .filter(frame -> frame.message() instanceof ClientMessage.Unsubscribe)
                .map(frame -> ((ClientMessage.Unsubscribe) frame.message()).id().text())
                .toList();
    }

    /// Live filters that are open now, those of announcements included.
    List<Filter> liveFilters() {
        return connections.stream()
                .flatMap(connection -> connection.open.entrySet().stream())
                .filter(entry -> "al".indexOf(entry.getKey().text().charAt(0)) >= 0)
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }

    /// Ids of live subscriptions that are open now.
    List<String> liveIds() {
        return connections.stream()
                .flatMap(connection -> connection.open.keySet().stream())
                .map(SubscriptionId::text)
                .filter(id -> "al".indexOf(id.charAt(0)) >= 0)
                .toList();
    }

    /// Forgets the frames that came so far.
    void forget() {
        frames.clear();
    }
}
