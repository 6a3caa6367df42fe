package dev.grapnel.outbound.http;

import dev.grapnel.outbound.RemoteUrl;
import java.nio.charset.StandardCharsets;

/// The first lines of a request as they are sent, the server's name and ours among them. It has no other state that
/// could tell who we are (P-806).
public final class RequestHead {
    private final StringBuilder text = new StringBuilder(256);

    /// @param target path and query
    /// @param userAgent from [Client#userAgent]
    public RequestHead(Request.Method method, String target, RemoteUrl base, String userAgent) {
        text.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        add("Host", base.hostAndPort());
        add("User-Agent", userAgent);
    }

    /// One more field.
    ///
    /// @throws IllegalArgumentException if this would be none
    public RequestHead with(String name, String value) {
        var header = new Header(name, value);
        add(header.name(), header.value());
        return this;
    }

    private void add(String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }

    /// As it is sent, with the empty line behind it.
    public byte[] toBytes() {
        return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
