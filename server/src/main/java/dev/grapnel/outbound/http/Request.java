package dev.grapnel.outbound.http;

import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.RemoteUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A question to another server.
///
/// @param base the URL that was published
/// @param suffix path and query behind it, such as `/info/refs?service=git-upload-pack`; ours, not a stranger's
/// @param headers besides those that belong to the connection
/// @param limits of time
/// @param answerMax bytes of the answer's body, compressed or not
/// @param encoding whether the answer may be compressed
public record Request(
        Method method,
        RemoteUrl base,
        String suffix,
        List<Header> headers,
        Body body,
        LineLimits limits,
        long answerMax,
        Encoding encoding) {
    /// What is done.
    public enum Method {
        GET,
        POST
    }

    /// How the answer's body may come.
    public enum Encoding {
        PLAIN,
        GZIP
    }

    /// The client writes those about the connection itself, and nothing here may tell a stranger who we are or
    /// let us do more than anybody could (P-806).
    private static final Set<String> RESERVED = Set.of(
            "host",
            "connection",
            "content-length",
            "transfer-encoding",
            "accept-encoding",
            "user-agent",
            "expect",
            "upgrade",
            "cookie",
            "authorization",
            "proxy-authorization");

    /// @throws IllegalArgumentException if a header is not the caller's to set, or the suffix is no path
    public Request {
        headers = List.copyOf(headers);
        for (var header : headers) {
            if (RESERVED.contains(header.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(header.name() + " is not for the caller to set");
            }
        }
        boolean isPath = suffix.isEmpty() || suffix.startsWith("/") || suffix.startsWith("?");
        if (!isPath || !suffix.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#')) {
            throw new IllegalArgumentException("a suffix is path and query in printable ASCII");
        }
    }

    /// Asks for something.
    public static Request get(RemoteUrl base, String suffix, LineLimits limits, long answerMax) {
        return new Request(Method.GET, base, suffix, List.of(), new Body.None(), limits, answerMax, Encoding.PLAIN);
    }

    /// Sends something and asks for an answer.
    public static Request post(RemoteUrl base, String suffix, Body body, LineLimits limits, long answerMax) {
        return new Request(Method.POST, base, suffix, List.of(), body, limits, answerMax, Encoding.PLAIN);
    }

    /// The same with one more header.
    public Request with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Request(method, base, suffix, more, body, limits, answerMax, encoding);
    }

    /// The same, and the answer may be compressed.
    public Request acceptingGzip() {
        return new Request(method, base, suffix, headers, body, limits, answerMax, Encoding.GZIP);
    }

    /// The same at another place, where a redirect led.
    Request at(RemoteUrl place, Duration left) {
        return new Request(method, place, suffix, headers, body, limits.withWhole(left), answerMax, encoding);
    }

    /// As it stands in the request's first line.
    String target() {
        var path = base.path() + suffix;
        return path.startsWith("/") ? path : "/" + path;
    }
}
