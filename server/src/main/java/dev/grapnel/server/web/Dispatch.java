package dev.grapnel.server.web;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.RequestTarget;
import java.util.List;
import java.util.Optional;

/// Decides who answers a request, in the order of service 2.1.
///
/// @param basePath decoded segments below which the service lies; none if it has the domain for itself
record Dispatch(List<String> basePath) {
    private static final String READ = "GET, HEAD, OPTIONS";
    private static final String GIT_SUFFIX = ".git";

    Dispatch {
        basePath = List.copyOf(basePath);
    }

    /// Any text is safe: what cannot be read as a path is unknown.
    Route route(Ask ask) {
        if (ask.method().equals("OPTIONS")) {
            return new Route.Preflight();
        }
        return switch (RequestTarget.parse(ask.path())) {
            case Parsed.Valid<RequestTarget>(var target)
            when isBelowBase(target.segments()) && !target.hasQuery() ->
                routeBelowBase(
                        ask,
                        target.segments()
                                .subList(basePath.size(), target.segments().size()));
            case Parsed.Valid<RequestTarget> _, Parsed.Invalid<RequestTarget> _ -> new Route.Unknown();
        };
    }

    private boolean isBelowBase(List<String> segments) {
        return segments.size() >= basePath.size()
                && segments.subList(0, basePath.size()).equals(basePath);
    }

    private Route routeBelowBase(Ask ask, List<String> segments) {
        if (segments.equals(List.of(".well-known", "nostr.json"))) {
            return basePath.isEmpty() ? reading(ask, new Route.NostrJson()) : new Route.Unknown();
        }
        if (segments.equals(List.of("health"))) {
            return reading(ask, new Route.Health());
        }
        if (segments.size() > 1 && segments.getFirst().equals("prs")) {
            return new Route.PullRequests(segments.subList(1, segments.size()));
        }
        return findRepository(ask, segments).orElseGet(() -> routeFixed(ask, segments));
    }

    private static Route routeFixed(Ask ask, List<String> segments) {
        if (segments.isEmpty() || segments.equals(List.of(""))) {
            return reading(ask, routeRoot(ask));
        }
        if (segments.equals(List.of("metrics"))) {
            return reading(ask, new Route.Figures());
        }
        if (segments.equals(List.of("status"))) {
            return reading(ask, new Route.SyncStatus(ask.wantsJson()));
        }
        if (segments.equals(List.of("status.json"))) {
            return reading(ask, new Route.SyncStatus(true));
        }
        if (segments.equals(List.of("icon.png"))) {
            return reading(ask, new Route.Icon());
        }
        return new Route.Unknown();
    }

    private static Route routeRoot(Ask ask) {
        if (ask.isHandshake()) {
            return new Route.Relay();
        }
        return ask.wantsInformation() ? new Route.Information() : new Route.Landing();
    }

    private static Route reading(Ask ask, Route route) {
        return ask.isRead() ? route : new Route.WrongMethod(READ);
    }

    private static Optional<Route> findRepository(Ask ask, List<String> segments) {
        if (segments.size() < 2 || !segments.get(1).endsWith(GIT_SUFFIX)) {
            return Optional.empty();
        }
        var name = segments.get(1);
        var identifier = Identifier.parse(name.substring(0, name.length() - GIT_SUFFIX.length()));
        return Npub.parse(segments.getFirst())
                .then(npub ->
                        identifier.map(id -> repository(ask, npub.key(), id, segments.subList(2, segments.size()))))
                .find();
    }

    private static Route repository(Ask ask, PublicKey owner, Identifier identifier, List<String> subpath) {
        return subpath.isEmpty() || subpath.equals(List.of(""))
                ? reading(ask, new Route.RepositoryPage(owner, identifier))
                : new Route.Git(owner, identifier, subpath);
    }
}
