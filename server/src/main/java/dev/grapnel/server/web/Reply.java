package dev.grapnel.server.web;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// An answer that is complete before it is sent, and can be sent many times.
final class Reply {
    /// In how many seconds to ask again.
    static final String RETRY_AFTER = "10";

    private final int status;
    private final HttpFields headers;
    private final ByteBuffer body;
    private final boolean own;

    Reply(int status, String contentType, byte[] body) {
        this(
                status,
                HttpFields.build()
                        .put(HttpHeader.CONTENT_TYPE, contentType)
                        .put(HttpHeader.CONTENT_LENGTH, body.length)
                        .asImmutable(),
                ByteBuffer.wrap(body).asReadOnlyBuffer(),
                false);
    }

    private Reply(int status, HttpFields headers, ByteBuffer body, boolean own) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.own = own;
    }

    /// Nothing but headers.
    static Reply empty(int status) {
        return new Reply(status, HttpFields.EMPTY, ByteBuffer.allocate(0), false);
    }

    /// The same with one header more.
    Reply with(String name, String value) {
        var more = HttpFields.build(headers).put(new HttpField(name, value)).asImmutable();
        return new Reply(status, more, body, own);
    }

    /// The same, made for one request: its bytes are kept for nobody else.
    Reply asOwn() {
        return new Reply(status, headers, body, true);
    }

    /// Memory it takes until it is sent, beside what all share.
    int ownBytes() {
        return own ? body.remaining() : 0;
    }

    /// Sends it; to HEAD all of it but the body.
    void send(Request request, Response response, Callback callback) {
        response.setStatus(status);
        headers.forEach(response.getHeaders()::put);
        boolean isHead = "HEAD".equals(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : body.duplicate(), callback);
    }
}
