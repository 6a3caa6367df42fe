package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A page for people: works without scripts, and its policy lets a browser load nothing but our icon and this
/// very style sheet.
///
/// @param icon path of the icon
/// @param reload after how long a browser asks for it again, if ever
record Page(String title, String icon, List<Markup> body, Optional<Duration> reload) {
    private static final String CSS = new String(resource("page.css"), StandardCharsets.UTF_8);
    private static final String POLICY = "default-src 'none'; style-src 'sha256-" + hash(CSS)
            + "'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    Page {
        body = List.copyOf(body);
    }

    Page(String title, String icon, List<Markup> body) {
        this(title, icon, body, Optional.empty());
    }

    /// The same, always fresh.
    Page reloading(Duration every) {
        return new Page(title, icon, body, Optional.of(every));
    }

    /// The answer that shows it.
    Reply reply(int status) {
        return new Reply(status, "text/html; charset=utf-8", html().getBytes(StandardCharsets.UTF_8))
                .with("Content-Security-Policy", POLICY)
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "no-referrer");
    }

    String html() {
        var head = new ArrayList<Markup>();
        head.add(element("meta").with("charset", "utf-8"));
        head.add(element("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"));
        reload.ifPresent(every -> head.add(
                element("meta").with("http-equiv", "refresh").with("content", Long.toString(every.toSeconds()))));
        head.add(element("title", title));
        head.add(element("link").with("rel", "icon").with("type", "image/png").with("href", icon));
        head.add(new Markup.Style(CSS));
        var out = new StringBuilder("<!doctype html>\n");
        element("html", element("head", head), element("body", new ArrayList<>(body)))
                .with("lang", "en")
                .write(out);
        return out.append('\n').toString();
    }

    /// A file beside this class.
    static byte[] resource(String name) {
        try (var in = Objects.requireNonNull(Page.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String css) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(css.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
