package dev.grapnel.server.web;

import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// Answers what never reached a handler, such as requests that cannot be read. Says what kind of mistake it is
/// and nothing of what was sent.
final class HttpErrors implements Request.Handler {
    /// Where Jetty says a request went whose line it could not read.
    private static final String NO_PATH = "/badMessage";

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var server = request.getConnectionMetaData().getConnector().getServer();
        int status = isUnknownPath(request) ? HttpStatus.NOT_FOUND_404 : statusFor(response.getStatus());
        if (status == HttpStatus.INTERNAL_SERVER_ERROR_500 && server.isStopping()) {
            status = HttpStatus.SERVICE_UNAVAILABLE_503; // the request was broken off
        }
        EveryAnswer.addTo(response.getHeaders());
        response.getHeaders().put(server.getDateField());
        var words = status + " " + HttpStatus.getMessage(status) + "\n";
        new Reply(status, "text/plain", words.getBytes(StandardCharsets.US_ASCII))
                .with("X-Content-Type-Options", "nosniff")
                .send(request, response, callback);
        return true;
    }

    /// A head that is malformed is 400, in whatever way it is (service 2.8, 9).
    private static int statusFor(int status) {
        return switch (status) {
            case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                    HttpStatus.URI_TOO_LONG_414,
                    HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 -> HttpStatus.BAD_REQUEST_400;
            default -> status;
        };
    }

    /// Jetty refuses a path with a broken escape before anybody sees it; to us it is one that leads nowhere
    /// (service 2.4). Other malformed request lines come without a cause.
    private static boolean isUnknownPath(Request request) {
        return NO_PATH.equals(request.getHttpURI().getPath())
                && request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof Throwable failure
                && failure.getCause() instanceof IllegalArgumentException;
    }
}
