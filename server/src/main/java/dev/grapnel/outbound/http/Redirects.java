package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Judged;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.UrlShape;
import java.util.Optional;

/// Where a redirect leads (P-805). Pure.
final class Redirects {
    private Redirects() {}

    static boolean isRedirect(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
    }

    /// The base behind a redirect. The same thing must be asked for there: a server that answers otherwise has
    /// no repository at the new place either.
    ///
    /// @param location as the server wrote it
    static Judged<RemoteUrl> judge(Request asked, Optional<String> location, UrlShape shape) {
        if (location.isEmpty()) {
            return Judged.refused(Rule.REDIRECT, "it does not say where to");
        }
        var whole = resolve(asked, location.get());
        if (!whole.endsWith(asked.suffix())) {
            return Judged.refused(Rule.REDIRECT, "it leads to something else than was asked for");
        }
        var base = whole.substring(0, whole.length() - asked.suffix().length());
        // A slash at the end does not count, but the root of a server is no path without it.
        return RemoteUrl.parse(asked.suffix().startsWith("/") ? base + "/" : base, shape)
                .then(target -> asked.base().isSecure() && !target.isSecure()
                        ? Judged.refused(Rule.REDIRECT, "it leads from an encrypted connection to a plain one")
                        : Judged.passed(target));
    }

    private static String resolve(Request asked, String location) {
        var base = asked.base();
        if (location.startsWith("//")) {
            return base.scheme().word() + ":" + location;
        }
        if (location.startsWith("/")) {
            return base.origin() + location;
        }
        int scheme = location.indexOf("://");
        int end = location.indexOf('/');
        if (scheme >= 0 && scheme < end) {
            return location;
        }
        var path = asked.target();
        int mark = path.indexOf('?');
        var plain = mark < 0 ? path : path.substring(0, mark);
        return base.origin() + plain.substring(0, plain.lastIndexOf('/') + 1) + location;
    }
}
