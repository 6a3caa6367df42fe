package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/// Publishes one event after the other without waiting for answers, until the connection ends or it is told to
/// stop.
final class Publisher implements AutoCloseable {
    private static final int UNANSWERED_MAX = 500;

    private final Listener listener;
    private final int author;
    private final String name;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile int sent;

    private Publisher(Listener listener, int author, String name) {
        this.listener = listener;
        this.author = author;
        this.name = name;
        this.thread = Thread.ofVirtual().start(this::publish);
    }

    /// @param name makes its events its own
    static Publisher start(int port, int author, String name) throws IOException {
        return new Publisher(new Listener(WireClient.open(port)), author, name);
    }

    private void publish() {
        try {
            while (!stopped && listener.closeCode().isEmpty()) {
                listener.send("[\"EVENT\"," + event(sent) + "]");
                int next = sent + 1; // only this thread changes it
                sent = next;
                listener.await(
                        "answers",
                        () -> stopped
                                || sent - listener.answerCount() < UNANSWERED_MAX
                                || listener.closeCode().isPresent());
            }
        } catch (IOException _) {
            // the server is gone, which ends this
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Event event(int number) {
        return StoreSamples.event(author, 1, Instant.now().getEpochSecond(), List.of(), name + " " + number);
    }

    Listener listener() {
        return listener;
    }

    /// Sends no more.
    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    int sent() {
        return sent;
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        listener.close();
    }
}
