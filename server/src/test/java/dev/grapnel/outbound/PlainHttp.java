package dev.grapnel.outbound;

import java.net.http.HttpClient;

/// The JDK's client without its wish for HTTP/2. On a busy machine it loses its place in an answer of several frames
/// that follows the change of protocol: it takes text for the head of a frame, although what was sent is right.
public final class PlainHttp {
    private PlainHttp() {}

    /// A client of its own for each caller.
    public static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
}
