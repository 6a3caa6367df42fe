package dev.grapnel.server.web;

import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;

/// The headers that every answer carries, whoever makes it (service 2.2, 2.3): without the second kind browsers
/// hide an answer from the page that asked.
final class EveryAnswer {
    /// All of them.
    static final List<HttpField> FIELDS = List.of(
            new PreEncodedHttpField(HttpHeader.SERVER, "grapnel"),
            new PreEncodedHttpField("Access-Control-Allow-Origin", "*"),
            new PreEncodedHttpField("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
            new PreEncodedHttpField(
                    "Access-Control-Allow-Headers",
                    "Authorization, Content-Type, Git-Protocol, Accept, Content-Encoding, X-Requested-With"),
            new PreEncodedHttpField("Access-Control-Max-Age", "86400"),
            new PreEncodedHttpField("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After"));

    private EveryAnswer() {}

    /// Puts them there, once, however often it is called.
    static void addTo(HttpFields.Mutable headers) {
        FIELDS.forEach(headers::put);
    }
}
