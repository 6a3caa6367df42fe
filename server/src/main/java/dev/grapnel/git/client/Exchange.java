package dev.grapnel.git.client;

import dev.grapnel.nostr.Bytes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Requests of smart HTTP, as far as git does not see them.
final class Exchange {
    private static final String SERVICE = "git-upload-pack";
    private static final int OK = 200;

    private final Transport transport;
    private final InstantSource clock;
    private final AtomicLong received = new AtomicLong();

    Exchange(Transport transport, InstantSource clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /// Reads an answer, which is closed behind it.
    interface Reader<T> {
        T read(InputStream body) throws IOException;
    }

    /// Asks what there is.
    ///
    /// @param most bytes that may come
    <T> T get(RemoteBytes.Most most, Reader<T> reader) throws IOException {
        var headers = Map.of("Accept", "application/x-" + SERVICE + "-advertisement", "Git-Protocol", "version=2");
        return read(
                () -> transport.get("info/refs?service=" + SERVICE, headers),
                "application/x-" + SERVICE + "-advertisement",
                most,
                reader);
    }

    /// Sends a request of git.
    ///
    /// @param isVersion2 whether the server agreed to that
    /// @param most bytes that may come
    <T> T post(Bytes body, boolean isVersion2, Transport.Awaited awaited, RemoteBytes.Most most, Reader<T> reader)
            throws IOException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/x-" + SERVICE + "-request");
        headers.put("Accept", "application/x-" + SERVICE + "-result");
        if (isVersion2) {
            headers.put("Git-Protocol", "version=2");
        }
        return read(
                () -> transport.post(SERVICE, headers, body, awaited),
                "application/x-" + SERVICE + "-result",
                most,
                reader);
    }

    private interface Opening {
        Transport.Answer open() throws IOException;
    }

    private <T> T read(Opening opening, String type, RemoteBytes.Most most, Reader<T> reader) throws IOException {
        try (var answer = open(opening)) {
            if (answer.status() != OK) {
                var wait = answer.findHeader("Retry-After").flatMap(text -> RetryAfter.parse(text, clock.instant()));
                throw new VisitFailed(new Fault.Status(answer.status(), wait));
            }
            requireType(answer, type);
            return reader.read(new BufferedInputStream(new RemoteBytes(body(answer), received, most)));
        }
    }

    private static Transport.Answer open(Opening opening) throws VisitFailed {
        try {
            return opening.open();
        } catch (IOException e) {
            throw new VisitFailed(new Fault.Disconnected(e));
        }
    }

    private static InputStream body(Transport.Answer answer) throws VisitFailed {
        try {
            return answer.body();
        } catch (IOException e) {
            throw new VisitFailed(new Fault.Disconnected(e));
        }
    }

    /// Dumb HTTP has another type: its files name further places to look at, which nobody has checked.
    private static void requireType(Transport.Answer answer, String type) throws VisitFailed {
        var found = answer.findHeader("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        int end = found.indexOf(';');
        if (!(end < 0 ? found : found.substring(0, end)).strip().equals(type)) {
            throw new VisitFailed(new Fault.Unsuitable("it does not speak git's smart HTTP protocol"));
        }
        var encoding = answer.findHeader("Content-Encoding").orElse("identity");
        if (!encoding.strip().equalsIgnoreCase("identity")) {
            throw new VisitFailed(new Fault.Malformed("the answer is compressed, which was not asked for"));
        }
    }

    /// Bytes of all answers.
    long received() {
        return received.get();
    }

    void close() {
        transport.close();
    }
}
