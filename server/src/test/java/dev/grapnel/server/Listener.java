package dev.grapnel.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A client that reads all the time, on a thread of its own, and keeps what it was told: for tests in which
/// much comes at once. Its subscription ids need no escapes.
public final class Listener implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final int ID_LENGTH = 64;
    /// The connection has ended without a Close.
    public static final int NO_CLOSE = -1;

    private final WireClient wire;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Subscription> subscriptions = new HashMap<>();
    private final Map<String, String> answers = new LinkedHashMap<>();
    private final List<String> others = new ArrayList<>();
    private final Thread reader;
    private Optional<Integer> closeCode = Optional.empty();

    /// What came for one subscription.
    private static final class Subscription {
        private final List<String> events = new ArrayList<>();
        private final List<String> closed = new ArrayList<>();
        private int ends;
        private int stored = -1;
    }

    public Listener(WireClient wire) {
        this.wire = wire;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    public static Listener on(RelayUnderTest relay) throws IOException {
        return new Listener(WireClient.open(relay.port()));
    }

    public WireClient wire() {
        return wire;
    }

    public void send(String json) throws IOException {
        wire.send(json);
    }

    private void read() {
        int code = NO_CLOSE;
        try {
            while (true) {
                var frame = wire.frame();
                if (frame.opcode() == WireClient.TEXT) {
                    note(frame.text());
                } else if (frame.opcode() == WireClient.CLOSE) {
                    code = frame.closeCode();
                    break;
                }
            }
        } catch (IOException _) {
            // the end, without a word
        }
        end(code);
    }

    private void note(String message) {
        lock.lock();
        try {
            int comma = message.indexOf(',');
            switch (message.substring(2, comma - 1)) {
                case "EVENT" -> subscription(message).events.add(idOf(message));
                case "EOSE" -> {
                    var subscription = subscription(message);
                    subscription.ends++;
                    subscription.stored = subscription.events.size();
                }
                case "CLOSED" -> subscription(message).closed.add(text(message));
                case "OK" -> answers.put(message.substring(7, 7 + ID_LENGTH), message.substring(9 + ID_LENGTH));
                default -> others.add(message);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Subscription subscription(String message) {
        int start = message.indexOf(",\"") + 2;
        return subscriptions.computeIfAbsent(
                message.substring(start, message.indexOf('"', start)), _ -> new Subscription());
    }

    private static String idOf(String message) {
        int start = message.indexOf("{\"id\":\"") + 7;
        return message.substring(start, start + ID_LENGTH);
    }

    private static String text(String closed) {
        return closed.substring(closed.lastIndexOf(",\"") + 2, closed.length() - 2);
    }

    private void end(int code) {
        lock.lock();
        try {
            closeCode = Optional.of(code);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something is so.
    ///
    /// @param condition asks this listener only
    public void await(String what, BooleanSupplier condition) throws InterruptedException {
        long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("waited in vain for " + what + "; also came " + others);
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ids of the events of a subscription, in the order they came.
    public List<String> events(String subscription) {
        return ask(subscription, found -> List.copyOf(found.events), List.of());
    }

    public int eventCount(String subscription) {
        return ask(subscription, found -> found.events.size(), 0);
    }

    /// How many of its events came before its EOSE, if that has come.
    public int stored(String subscription) {
        return ask(subscription, found -> found.stored, -1);
    }

    /// How often EOSE has come.
    public int ends(String subscription) {
        return ask(subscription, found -> found.ends, 0);
    }

    /// The texts of its CLOSED.
    public List<String> closed(String subscription) {
        return ask(subscription, found -> List.copyOf(found.closed), List.of());
    }

    private <T> T ask(String subscription, java.util.function.Function<Subscription, T> question, T otherwise) {
        lock.lock();
        try {
            var found = subscriptions.get(subscription);
            return found == null ? otherwise : question.apply(found);
        } finally {
            lock.unlock();
        }
    }

    /// What was said about events, by id: flag and text as they came.
    public Map<String, String> answers() {
        lock.lock();
        try {
            return new LinkedHashMap<>(answers);
        } finally {
            lock.unlock();
        }
    }

    public int answerCount() {
        lock.lock();
        try {
            return answers.size();
        } finally {
            lock.unlock();
        }
    }

    /// Ids of events that were taken.
    public List<String> accepted() {
        return answers().entrySet().stream()
                .filter(entry -> entry.getValue().startsWith("true"))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Messages of other sorts.
    public List<String> others() {
        lock.lock();
        try {
            return List.copyOf(others);
        } finally {
            lock.unlock();
        }
    }

    /// The code of the server's Close, or [#NO_CLOSE], if the connection is over.
    public Optional<Integer> closeCode() {
        lock.lock();
        try {
            return closeCode;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the end of the connection.
    public int awaitClose() throws InterruptedException {
        await("the end of the connection", () -> closeCode().isPresent());
        return closeCode().orElseThrow();
    }

    @Override
    public void close() throws IOException {
        wire.close();
        boolean interrupted = false;
        while (reader.isAlive()) {
            try {
                reader.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
