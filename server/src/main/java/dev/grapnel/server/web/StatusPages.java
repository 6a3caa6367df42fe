package dev.grapnel.server.web;

import static dev.grapnel.server.web.Markup.element;

import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/// Pages for those who cannot have what they asked for. They never repeat what that was.
final class StatusPages {
    private final String home;
    private final Reply notFound;
    private final Reply starting;
    private final Reply failed;
    private final Reply busy;

    /// @param home path of the landing page, with a slash at its end
    StatusPages(String home) {
        this.home = home;
        notFound =
                page(HttpStatus.NOT_FOUND_404, "Nothing here", "There is no page, and no repository, at this address.");
        starting = page(
                        HttpStatus.SERVICE_UNAVAILABLE_503,
                        "Starting up",
                        "This service will be back in a moment. Please try again.")
                .with("Retry-After", Reply.RETRY_AFTER);
        busy = page(HttpStatus.SERVICE_UNAVAILABLE_503, "Busy", "Too much is on its way to others. Please try again.")
                .with("Retry-After", Reply.RETRY_AFTER);
        failed = page(
                HttpStatus.INTERNAL_SERVER_ERROR_500,
                "Something broke",
                "This is our mistake, and it was written down. Please try again.");
    }

    Reply notFound() {
        return notFound;
    }

    Reply starting() {
        return starting;
    }

    Reply busy() {
        return busy;
    }

    Reply failed() {
        return failed;
    }

    /// @param allowed methods, as `Allow` lists them
    Reply wrongMethod(String allowed) {
        return page(HttpStatus.METHOD_NOT_ALLOWED_405, "Not this way", "This address can be read, but not written to.")
                .with("Allow", allowed);
    }

    private Reply page(int status, String title, String words) {
        var picture = element("img").with("src", home + "icon.png").with("alt", "");
        var main = element(
                        "main",
                        picture,
                        element("p", Integer.toString(status)).with("class", "code"),
                        element("h1", title),
                        element("p", words),
                        element("p", Markup.link(home, "About this service")))
                .with("class", "status");
        return new Page(title, home + "icon.png", List.of(main)).reply(status);
    }
}
