package dev.grapnel.git.client;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.PlainHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Requests by the HTTP client of the JDK, to whatever address.
public final class WebTransport implements Transport {
    private final HttpClient client = PlainHttp.client();
    private final String url;
    private final boolean isVersion2;
    private final List<InputStream> open = new CopyOnWriteArrayList<>();
    private final List<String> requests = new ArrayList<>();

    /// @param isVersion2 whether the server is told that version 2 is spoken here
    public WebTransport(String url, boolean isVersion2) {
        this.url = url;
        this.isVersion2 = isVersion2;
    }

    /// What was asked, in order.
    List<String> requests() {
        return requests;
    }

    @Override
    public Answer get(String path, Map<String, String> headers) throws IOException {
        return send("GET " + path, request(path, headers).GET());
    }

    @Override
    public Answer post(String path, Map<String, String> headers, Bytes body, Awaited awaited) throws IOException {
        return send("POST " + path, request(path, headers).POST(BodyPublishers.ofByteArray(body.toArray())));
    }

    private HttpRequest.Builder request(String path, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(url + "/" + path)).version(HttpClient.Version.HTTP_1_1);
        headers.forEach((name, value) -> {
            if (isVersion2 || !name.equals("Git-Protocol")) {
                request.header(name, value);
            }
        });
        return request;
    }

    private Answer send(String what, HttpRequest.Builder request) throws IOException {
        requests.add(what);
        try {
            var response = client.send(request.build(), BodyHandlers.ofInputStream());
            open.add(response.body());
            return new WebAnswer(response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private record WebAnswer(HttpResponse<InputStream> response) implements Answer {
        @Override
        public int status() {
            return response.statusCode();
        }

        @Override
        public Optional<String> findHeader(String name) {
            return response.headers().firstValue(name);
        }

        @Override
        public InputStream body() {
            return response.body();
        }

        @Override
        public void close() {
            try {
                response.body().close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        for (var body : open) {
            try {
                body.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        client.shutdownNow();
    }
}
