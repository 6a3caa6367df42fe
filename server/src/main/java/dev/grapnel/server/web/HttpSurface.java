package dev.grapnel.server.web;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.Readiness.Reason;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.server.websocket.MemoryBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers every request of the port (service 2.2).
public final class HttpSurface extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSurface.class);
    private static final String TEXT = "text/plain";
    private static final String JSON = "application/json";
    private static final long ANSWERS_PART = 16;

    private final Configuration configuration;
    private final Readiness readiness;
    private final Metrics metrics;
    private final RelayDoor door;
    private final GitDoor git;
    private final Predicate<Request> usesTls;
    private final RepositoryPages repositories;
    private final MemoryBudget answers;
    private final Function<Request, InetAddress> clientAddress;
    private final Dispatch dispatch;
    private final StatusPages pages;
    private final Reply landing;
    private final Reply information;
    private final Reply nostrJson;
    private final Reply icon;
    private final SyncPages sync;

    /// Makes all pages at once.
    ///
    /// @param clientAddress who asks, which behind a proxy is not who connected
    /// @param usesTls whether who asks came by https, which behind a proxy only that can know
    /// @param view how sync is doing
    public HttpSurface(
            Configuration configuration,
            ServiceIdentity identity,
            Features features,
            Readiness readiness,
            Metrics metrics,
            RelayDoor door,
            GitDoor git,
            Function<Request, InetAddress> clientAddress,
            Predicate<Request> usesTls,
            SyncView view) {
        this.configuration = configuration;
        this.readiness = readiness;
        this.metrics = metrics;
        this.door = door;
        this.git = git;
        this.usesTls = usesTls;
        this.answers = new MemoryBudget(Runtime.getRuntime().maxMemory() / ANSWERS_PART);
        this.clientAddress = clientAddress;
        dispatch = new Dispatch(identity.address().basePath());
        var home = identity.homePath();
        pages = new StatusPages(home);
        repositories = new RepositoryPages(identity, home);
        sync = new SyncPages(view, identity, home);
        var facts = new Nip11(configuration, identity, features);
        landing = new LandingPage(facts, identity, home)
                .page()
                .reply(HttpStatus.OK_200)
                .with("Vary", "Accept");
        information = new Reply(HttpStatus.OK_200, "application/nostr+json", facts.json()).with("Vary", "Accept");
        nostrJson = new Reply(HttpStatus.OK_200, "application/json; charset=utf-8", nostrJson(identity))
                .with("Cache-Control", "max-age=3600");
        icon = new Reply(HttpStatus.OK_200, "image/png", Page.resource("icon.png"))
                .with("Cache-Control", "public, max-age=86400")
                .with("X-Content-Type-Options", "nosniff");
    }

    private static byte[] nostrJson(ServiceIdentity identity) {
        var operator = identity.operator().toHex();
        return new JsonObject()
                .object("names", new JsonObject().string("_", operator))
                .object("relays", new JsonObject().strings(operator, List.of(identity.relayUrl())))
                .bytes();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            answer(dispatch.route(askOf(request)), request, response, callback);
        } catch (RuntimeException e) {
            metrics.failed();
            LOG.error("request failed method={}", request.getMethod(), e);
            fail(request, response, callback, e);
        }
        return true;
    }

    private void fail(Request request, Response response, Callback callback, RuntimeException failure) {
        if (response.isCommitted()) {
            callback.failed(failure); // ends the connection, which is all that can still be said
        } else {
            response.reset();
            EveryAnswer.addTo(response.getHeaders());
            pages.failed().send(request, response, callback);
        }
    }

    private static Ask askOf(Request request) {
        var headers = request.getHeaders();
        boolean mayUpgrade = request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2;
        return Ask.of(
                request.getMethod(),
                Objects.requireNonNullElse(request.getHttpURI().getPath(), ""),
                mayUpgrade ? headers.getValuesList(HttpHeader.UPGRADE) : List.of(),
                headers.getValuesList(HttpHeader.ACCEPT));
    }

    private void answer(Route route, Request request, Response response, Callback callback) {
        if (readiness.has(Reason.STARTING) && !answersWhileStarting(route)) {
            pages.starting().send(request, response, callback);
        } else if (route instanceof Route.Relay) {
            door.open(request, response, callback);
        } else if (route instanceof Route.Git(var owner, var identifier, var subpath)) {
            git.serve(new RepositoryAddress(owner, identifier), subpath, request, response, callback);
        } else {
            send(reply(route, request), request, response, callback);
        }
    }

    /// An answer of its own is kept until its client has taken it; when those that wait are too large,
    /// others must wait.
    private void send(Reply reply, Request request, Response response, Callback callback) {
        int bytes = reply.ownBytes();
        if (bytes == 0) {
            reply.send(request, response, callback);
        } else if (answers.reserve(bytes)) {
            reply.send(request, response, Callback.from(callback, () -> answers.release(bytes)));
        } else {
            pages.busy().send(request, response, callback);
        }
    }

    private static boolean answersWhileStarting(Route route) {
        return route instanceof Route.Health || route instanceof Route.Preflight;
    }

    private Reply reply(Route route, Request request) {
        return switch (route) {
            case Route.Preflight _ -> Reply.empty(HttpStatus.NO_CONTENT_204);
            case Route.NostrJson _ -> nostrJson;
            case Route.Health _ -> health(request);
            case Route.Information _ -> information;
            case Route.Landing _ -> landing;
            case Route.Figures _ -> figures(request);
            case Route.SyncStatus(boolean json) -> syncStatus(json, request);
            case Route.Icon _ -> icon;
            case Route.WrongMethod(var allowed) -> pages.wrongMethod(allowed);
            case Route.RepositoryPage(var owner, var identifier) ->
                repositoryPage(new RepositoryAddress(owner, identifier), request);
            case Route.Relay _, Route.Git _ -> throw new IllegalStateException("their doors answer these");
            case Route.PullRequests _, Route.Unknown _ -> pages.notFound();
        };
    }

    private Reply repositoryPage(RepositoryAddress repository, Request request) {
        if (!git.isHosted(repository)) {
            return repositories.notHosted(repository);
        }
        try {
            return repositories.hosted(repository, git.portrait(repository), usesTls.test(request));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Reply health(Request request) {
        var reasons = readiness.reasons();
        if (reasons.isEmpty()) {
            return text(HttpStatus.OK_200, "ok").with("Cache-Control", "no-store");
        }
        var words = reasons.stream().map(Reason::words).toList();
        var reply = mayRead(request)
                ? new Reply(HttpStatus.SERVICE_UNAVAILABLE_503, JSON, JsonObject.list(words))
                : text(HttpStatus.SERVICE_UNAVAILABLE_503, "not ready");
        return reply.with("Cache-Control", "no-store").with("Retry-After", Reply.RETRY_AFTER);
    }

    private Reply figures(Request request) {
        if (!configuration.require(ServiceSettings.METRICS_ENABLED)) {
            return text(HttpStatus.NOT_FOUND_404, "Metrics disabled");
        }
        if (!mayRead(request)) {
            return pages.notFound();
        }
        return new Reply(
                        HttpStatus.OK_200,
                        Metrics.CONTENT_TYPE,
                        metrics.scrape().getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store")
                .asOwn();
    }

    private Reply syncStatus(boolean json, Request request) {
        if (!mayRead(request)) {
            return pages.notFound();
        }
        return json ? sync.json() : sync.page();
    }

    /// Whether somebody may read figures and details; everybody, unless the operator said who.
    private boolean mayRead(Request request) {
        return configuration
                .find(ServiceSettings.METRICS_ALLOW)
                .map(ranges -> contains(ranges, clientAddress.apply(request)))
                .orElse(true);
    }

    private static boolean contains(List<Cidr> ranges, InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static Reply text(int status, String words) {
        return new Reply(status, TEXT, words.getBytes(StandardCharsets.UTF_8))
                .with("X-Content-Type-Options", "nosniff");
    }
}
