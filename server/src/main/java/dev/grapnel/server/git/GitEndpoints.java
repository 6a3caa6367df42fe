package dev.grapnel.server.git;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.Hosting;
import dev.grapnel.git.Hosting.Hosted;
import dev.grapnel.git.fetch.PackBudget;
import dev.grapnel.git.fetch.PackWeight;
import dev.grapnel.git.fetch.UploadPack;
import dev.grapnel.git.push.Foundation;
import dev.grapnel.git.push.Foundation.Ground;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.Pusher;
import dev.grapnel.git.push.ReceivePack;
import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import dev.grapnel.server.address.RequestRates;
import dev.grapnel.server.address.Shares;
import dev.grapnel.server.git.GitAsk.Service;
import dev.grapnel.server.git.Readings.Reading;
import dev.grapnel.server.ops.GitMeter;
import dev.grapnel.server.ops.GitMeter.Operation;
import dev.grapnel.server.web.GitDoor;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers every request of a git client (service 2.5).
public final class GitEndpoints implements GitDoor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GitEndpoints.class);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final String NOT_FOUND = "Git error: repository not found";
    private static final String LOST = "Git error: what this repository should have is not here yet, try again later";
    private static final String BUSY = "Git error: too many are being served, try again soon";
    private static final byte[] LISTS_REFS = "command=ls-refs".getBytes(StandardCharsets.US_ASCII);
    private static final int PEEK = LISTS_REFS.length + 4;

    private final Readings readings;
    private final Hosting hosting;
    private final GitConfig config;
    private final Showcase showcase;
    private final Places places;
    private final ReceivePack receivePack;
    private final Running pushes = new Running();
    private final RequestRates rates;
    private final Shares shares;
    private final PackMemory memory;
    private final Function<Request, ClientAddress> addressOf;
    private final Predicate<Request> isByTls;
    private final GitMeter meter;
    private final KeepAlive keepAlive;
    private final RepositoryUses uses;
    private final LongSupplier nanoTime;

    /// @param agent name and version, as told to clients
    public GitEndpoints(
            Repositories repositories,
            Hosting hosting,
            PushPolicy policy,
            GitConfig config,
            String agent,
            Addresses addresses,
            GitMeter meter,
            KeepAlive keepAlive,
            RefMoves moves,
            RepositoryUses uses,
            FreeSpace space,
            LongSupplier nanoTime) {
        this.readings = new Readings(repositories, uses);
        this.hosting = hosting;
        this.config = config;
        this.showcase = new Showcase(readings, hosting, agent, nanoTime);
        this.places = new Places(config.atWork(), config.begun(), config.patience(), nanoTime);
        this.receivePack =
                new ReceivePack(repositories, new CountedPolicy(policy, meter), config.push(), keepAlive, moves, space);
        this.uses = uses;
        this.rates = addresses.rates();
        this.shares = new Shares(config.begunPerAddress(), addresses.limits());
        this.memory = new PackMemory(config.packMemory(), config.packMemoryMax(), addresses.limits());
        this.addressOf = addresses.of();
        this.isByTls = addresses.isByTls();
        this.meter = meter;
        this.keepAlive = keepAlive;
        this.nanoTime = nanoTime;
    }

    /// Who asks, and how much each may.
    ///
    /// @param of the address behind a request
    /// @param isByTls whether whoever asks came by https
    /// @param rates how often each may ask
    /// @param limits who is exempt from what holds for each
    public record Addresses(
            Function<Request, ClientAddress> of,
            Predicate<Request> isByTls,
            RequestRates rates,
            AddressLimits limits) {}

    @Override
    public void serve(
            RepositoryAddress repository, List<String> subpath, Request request, Response response, Callback callback) {
        var exchange = new Exchange(request, response, callback, config.drainTime(), nanoTime);
        try {
            var client = addressOf.apply(request);
            var wait = rates.take(client);
            if (wait.isPresent()) {
                exchange.replyLater(
                        HttpStatus.TOO_MANY_REQUESTS_429, "Git error: your address asks too often", wait.get());
                return;
            }
            switch (GitAsk.of(exchange.method(), subpath, exchange.query())) {
                case GitAsk.Unknown _ -> exchange.reply(HttpStatus.NOT_FOUND_404, "Git error: no such endpoint");
                case GitAsk.WrongMethod(var allowed) -> exchange.replyWrongMethod(allowed);
                case GitAsk.NoService _ ->
                    exchange.reply(
                            HttpStatus.BAD_REQUEST_400,
                            "Git error: the service is git-upload-pack or git-receive-pack");
                case GitAsk.Refs(var service) -> refs(repository, service, exchange);
                case GitAsk.Call(Service service)
                when service == Service.UPLOAD -> upload(repository, client, exchange);
                case GitAsk.Call _ -> receive(repository, client, isByTls.test(request), exchange);
            }
        } catch (IOException | RuntimeException e) {
            exchange.fail(e);
        }
    }

    @Override
    public boolean isHosted(RepositoryAddress repository) {
        try {
            return hosting.find(repository).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Measures one request.
    private record Timing(Operation operation, long start) {}

    private void finish(Timing timing, boolean success) {
        meter.finished(timing.operation(), success, Duration.ofNanos(nanoTime.getAsLong() - timing.start()));
    }

    /// A request that has found its repository.
    private record Visit(Reading reading, Exchange exchange, Timing timing) implements AutoCloseable {
        RepositoryLease repository() {
            return reading.repository();
        }

        RepositoryAddress address() {
            return reading.repository().address();
        }

        @Override
        public void close() {
            reading.close();
        }
    }

    /// Events say whether there is a repository. If there is none, the client is told.
    private Optional<Visit> visit(RepositoryAddress address, Operation operation, Exchange exchange)
            throws IOException {
        var timing = new Timing(operation, nanoTime.getAsLong());
        if (hosting.find(address).isEmpty()) {
            finish(timing, false);
            exchange.reply(HttpStatus.NOT_FOUND_404, NOT_FOUND);
            return Optional.empty();
        }
        var visit = new Visit(open(address), exchange, timing);
        if (operation != Operation.PUSH && isLost(visit)) {
            turnAway(visit, HttpStatus.SERVICE_UNAVAILABLE_503, LOST);
            return Optional.empty();
        }
        return Optional.of(visit);
    }

    private Reading open(RepositoryAddress address) throws IOException {
        var found = readings.find(address);
        if (found.isPresent()) {
            return found.get();
        }
        hosting.restore(address);
        return readings.open(address);
    }

    /// Whether there should be something to read, and nothing is. One whose directory has just been made anew is about
    /// to be filled: that is waited for.
    private boolean isLost(Visit visit) throws IOException {
        try {
            if (isBare(visit) && hosting.isToBeRestored(visit.address())) {
                hosting.restore(visit.address());
            }
            return isBare(visit);
        } catch (IOException | RuntimeException e) {
            visit.close();
            throw e;
        }
    }

    private boolean isBare(Visit visit) throws IOException {
        return visit.repository().refs().current().isEmpty() && hosting.declaresRefs(visit.address());
    }

    private Hosted hosted(RepositoryAddress address) throws IOException {
        return hosting.find(address).orElse(Hosted.NOTHING); // it has just gone
    }

    private void refs(RepositoryAddress address, Service service, Exchange exchange) throws IOException {
        var found = visit(address, service == Service.UPLOAD ? Operation.FETCH : Operation.PUSH, exchange);
        if (found.isEmpty()) {
            return;
        }
        try (var visit = found.get()) {
            int version = GitAsk.version(exchange.header("Git-Protocol"));
            var type = "application/x-" + service.word() + "-advertisement";
            var bytes = showcase.smallAdvertisement(visit.repository(), hosted(address), service, version);
            if (bytes.isPresent()) {
                exchange.reply(HttpStatus.OK_200, type, bytes.get());
                meter.moved(address, 0, bytes.get().length);
            } else {
                var out = exchange.begin(type);
                showcase.advertise(visit.repository(), hosted(address), service, version, out);
                exchange.end(out);
                meter.moved(address, 0, exchange.sent());
            }
            finish(visit.timing(), true);
        }
    }

    private void upload(RepositoryAddress address, ClientAddress client, Exchange exchange) throws IOException {
        var found = visit(address, Operation.CLONE, exchange);
        if (found.isEmpty()) {
            return;
        }
        var visit = found.get();
        boolean version2 = GitAsk.version(exchange.header("Git-Protocol")) == 2;
        var limits = new Body.Limits(config.requestBytes(), config.time());
        try {
            var body = Body.open(exchange.input(), exchange.header("Content-Encoding"), limits, nanoTime);
            var peeked = new PushbackInputStream(body, PEEK);
            if (version2 && beginsWithListing(peeked)) {
                list(visit, peeked);
            } else {
                var received = new FetchBody(body, peeked, version2);
                work(client, visit, place -> fetch(visit, client, place, received));
            }
        } catch (IOException | RuntimeException e) {
            fail(visit, e);
        }
    }

    /// Listing refs needs neither a place nor much memory, and clients do it before everything else.
    private static boolean beginsWithListing(PushbackInputStream in) throws IOException {
        var head = in.readNBytes(PEEK);
        in.unread(head);
        for (int i = 0; i < LISTS_REFS.length; i++) {
            if (head.length < PEEK || head[i + 4] != LISTS_REFS[i]) {
                return false;
            }
        }
        return true;
    }

    private void list(Visit visit, InputStream body) throws IOException {
        try (visit) {
            var exchange = visit.exchange();
            var task = UploadPack.read(body, true);
            expectEnd(body);
            var offer = showcase.offer(visit.repository(), hosted(visit.address()));
            var out = exchange.begin("application/x-git-upload-pack-result");
            new UploadPack(offer, keepAlive, exchange::isAbandoned, PackBudget.UNBOUNDED).answer(task, out);
            exchange.end(out);
            meter.moved(visit.address(), 0, exchange.sent());
            finish(visit.timing(), true);
        }
    }

    private void fetch(Visit visit, ClientAddress client, Places.Place place, FetchBody received) throws IOException {
        var exchange = visit.exchange();
        try (visit) {
            var in = place.reading(received.peeked());
            var task = UploadPack.read(in, received.version2());
            expectEnd(in);
            var offer = showcase.offer(visit.repository(), hosted(visit.address()));
            long weight = Math.max(0, PackWeight.most(task, offer) - GitConfig.MEMORY_OF_ONE);
            var held = place.waiting(patience -> memory.take(client, weight, patience));
            if (held.isEmpty()) {
                turnAway(visit, HttpStatus.SERVICE_UNAVAILABLE_503, BUSY);
                return;
            }
            try (var memoryHeld = held.get()) {
                var out = place.writing(exchange.begin("application/x-git-upload-pack-result"));
                new UploadPack(offer, keepAlive, exchange::isAbandoned, memoryHeld).answer(task, out);
                exchange.end(out);
            }
        } finally {
            meter.moved(visit.address(), received.body().received(), exchange.sent());
        }
        finish(visit.timing(), true);
    }

    /// What came of a request to fetch.
    private record FetchBody(Body body, InputStream peeked, boolean version2) {}

    /// A packed body is whole only if its end was read.
    private static void expectEnd(InputStream body) throws IOException {
        if (body.read() >= 0) {
            throw new BrokenPacket("something follows the request");
        }
    }

    private void receive(RepositoryAddress address, ClientAddress client, boolean tls, Exchange exchange)
            throws IOException {
        var visit = visit(address, Operation.PUSH, exchange);
        if (visit.isPresent()) {
            work(client, visit.get(), place -> push(visit.get(), new Pusher(client.address(), tls), place));
        }
    }

    /// Does something that needs a place, unless the address holds its share of them already.
    private void work(ClientAddress client, Visit visit, Places.Work work) {
        var share = shares.take(client);
        if (share.isEmpty()) {
            turnAway(visit, HttpStatus.TOO_MANY_REQUESTS_429, "Git error: your address has too many requests at once");
            return;
        }
        places.run(
                place -> {
                    try (var _ = share.get()) {
                        work.run(place);
                    }
                },
                () -> {
                    share.get().close();
                    turnAway(visit, HttpStatus.SERVICE_UNAVAILABLE_503, BUSY);
                },
                failure -> fail(visit, failure));
    }

    private void push(Visit visit, Pusher client, Places.Place place) throws IOException {
        var exchange = visit.exchange();
        var repository = visit.repository();
        var limits = new Body.Limits(config.pushBodyBytes(), config.time());
        var body = Body.open(place.reading(exchange.input()), exchange.header("Content-Encoding"), limits, nanoTime);
        try (visit;
                var _ = pushes.begin();
                var _ = uses.change(repository.address());
                var others = showcase.others(repository.address())) {
            var channel = new PushChannel(exchange, place, body, config, nanoTime);
            var request = receivePack.read(body);
            if (!request.hasPack()) {
                expectEnd(body);
            }
            receivePack.answer(repository, foundation(repository, others), request, client, body, channel);
            channel.end();
        } finally {
            meter.moved(repository.address(), body.received(), exchange.sent());
        }
        finish(visit.timing(), true);
    }

    private Foundation foundation(RepositoryLease repository, Showcase.Others others) throws IOException {
        var own = new Ground(
                repository,
                showcase.offer(repository, hosted(repository.address())).tips());
        return new Foundation(
                own,
                others.list().stream()
                        .map(other ->
                                new Ground(other.repository(), other.offer().tips()))
                        .toList());
    }

    private void turnAway(Visit visit, int status, String reason) {
        visit.close();
        finish(visit.timing(), false);
        visit.exchange().replyLater(status, reason, RETRY);
    }

    private void fail(Visit visit, Throwable failure) {
        visit.close();
        finish(visit.timing(), false);
        visit.exchange().fail(failure);
    }

    /// Takes no more requests that need a place, and waits for those who push.
    public void stop(Duration most) {
        places.stop();
        try {
            if (!pushes.awaitNone(most)) {
                LOG.warn("pushes are broken off after={}", most);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }

    /// Requests that have begun, for those who count.
    public int begun() {
        return places.begun();
    }

    /// Requests that wait for a place, for those who count.
    public int waiting() {
        return places.waiting();
    }

    @Override
    public void close() {
        places.close();
    }
}
