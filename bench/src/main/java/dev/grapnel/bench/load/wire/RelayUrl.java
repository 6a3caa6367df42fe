package dev.grapnel.bench.load.wire;

import java.net.InetSocketAddress;
import java.net.URI;

/// Where a relay listens.
public record RelayUrl(String host, int port, String path) {
    private static final int HTTP = 80;

    /// Reads a URL.
    ///
    /// @throws IllegalArgumentException if it is not a `ws` URL
    public static RelayUrl parse(String text) {
        var uri = URI.create(text);
        if (!"ws".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException(text + " is not a ws:// URL; put a proxy before a relay with TLS");
        }
        var path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new RelayUrl(uri.getHost(), uri.getPort() < 0 ? HTTP : uri.getPort(), path + query);
    }

    /// Looked up each time.
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /// The value of the `Host` header.
    String authority() {
        return port == HTTP ? host : host + ":" + port;
    }
}
