package dev.grapnel.server.sync;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.http.Answer;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.outbound.http.Request;
import dev.grapnel.sync.world.InformationSource;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks relays for their information documents (NIP-11; R4.5, P-815): once, briefly, without redirects. Who answers
/// without one has none; of a server in trouble, as of one that is not reached, that is not known.
public final class RelayDocuments implements InformationSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayDocuments.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final LineLimits LIMITS = new LineLimits(LIMIT, LIMIT, LIMIT, LIMIT, 0, LIMIT, LIMIT);
    private static final int BYTES_MAX = 256 << 10;
    private static final int STATUS_OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_OF_TROUBLE = 500;

    /// Questions at once; a relay beyond that is taken for one that cannot be asked.
    private static final int QUESTIONS_MAX = 128;

    private final Client announced;
    private final Client configured;
    private final Scheduler loop;
    private final Semaphore places = new Semaphore(QUESTIONS_MAX);
    private final Cancellation cancellation = new Cancellation();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("relay-document-", 0).factory());

    /// @param announced for relays that events name
    /// @param configured for relays that the operator names
    RelayDocuments(Client announced, Client configured, Scheduler loop) {
        this.announced = announced;
        this.configured = configured;
        this.loop = loop;
    }

    @Override
    public void ask(RemoteUrl relay, boolean isConfigured, Consumer<Optional<RelayInformation>> answer) {
        if (!places.tryAcquire()) {
            loop.post(() -> answer.accept(Optional.empty()));
            return;
        }
        try {
            threads.execute(() -> {
                var found = guarded(relay, isConfigured ? configured : announced);
                places.release();
                loop.post(() -> answer.accept(found));
            });
        } catch (RejectedExecutionException _) { // the server stops
            places.release();
        }
    }

    private Optional<RelayInformation> guarded(RemoteUrl relay, Client client) {
        try {
            return ask(relay, client);
        } catch (IOException e) {
            LOG.debug("no information document relay={} reason={}", relay, e.getMessage());
            return isAnswer(e) ? Optional.of(RelayInformation.NONE) : Optional.empty();
        } catch (RuntimeException | Error e) { // a fault of ours; whoever asked must have an answer
            LOG.error("information document not read relay={}", relay, e);
            return Optional.empty();
        }
    }

    /// Whether somebody did answer, by something that is not read.
    private static boolean isAnswer(IOException thrown) {
        return thrown instanceof OutboundException outbound
                && (outbound.failure() instanceof Failure.TooLarge || outbound.failure() instanceof Failure.Redirected);
    }

    private Optional<RelayInformation> ask(RemoteUrl relay, Client client) throws IOException {
        var suffix = suffix(relay);
        if (!suffix.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Optional.of(RelayInformation.NONE); // a WebSocket may have such a query, a request may not
        }
        var request = Request.get(relay.overHttp(), suffix, LIMITS, BYTES_MAX).with("Accept", "application/nostr+json");
        try (var found = client.ask(request, cancellation)) {
            int status = found.status();
            if (status == TOO_MANY_REQUESTS || status >= FIRST_OF_TROUBLE) {
                return Optional.empty();
            }
            return Optional.of(status == STATUS_OK ? read(found) : RelayInformation.NONE);
        }
    }

    private static RelayInformation read(Answer found) throws IOException {
        return InformationReader.read(found.body().readAllBytes()).orElse(RelayInformation.NONE);
    }

    /// Path and query behind the base of a request, which has no query.
    private static String suffix(RemoteUrl relay) {
        return relay.target().substring(relay.path().length());
    }

    @Override
    public void close() {
        threads.shutdown();
        cancellation.cancel();
    }
}
