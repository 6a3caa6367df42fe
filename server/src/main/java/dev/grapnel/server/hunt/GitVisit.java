package dev.grapnel.server.hunt;

import dev.grapnel.git.client.Fault;
import dev.grapnel.git.client.RemoteVisit;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.purgatory.hunt.Advertisement;
import dev.grapnel.purgatory.hunt.Failure;
import dev.grapnel.purgatory.hunt.Fetched;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.Visit;
import dev.grapnel.purgatory.hunt.VisitFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A conversation with a git server of a stranger.
final class GitVisit implements Visit {
    private static final Logger LOG = LoggerFactory.getLogger(GitVisit.class);

    private final RemoteVisit visit;
    private final OutboundTransport transport;
    private final Desks.Desk desk;
    private final List<RepositoryLease> restsOn;
    private final Missing missing;
    private final Supplier<Optional<InetAddress>> busy;
    private final AtomicBoolean isCancelled = new AtomicBoolean();

    /// What is not here yet, looked at anew.
    @FunctionalInterface
    interface Missing {
        Set<Oid> look() throws IOException;
    }

    /// @param desk where what comes is taken in
    /// @param restsOn is closed with it
    /// @param busy an address that had no place for us
    GitVisit(
            RemoteVisit visit,
            OutboundTransport transport,
            Desks.Desk desk,
            List<RepositoryLease> restsOn,
            Missing missing,
            Supplier<Optional<InetAddress>> busy) {
        this.visit = visit;
        this.transport = transport;
        this.desk = desk;
        this.restsOn = List.copyOf(restsOn);
        this.missing = missing;
        this.busy = busy;
    }

    @Override
    public Advertisement advertise(Set<Oid> wanted, Set<RefName> names) throws VisitFailed {
        return attempt(() -> {
            var said = visit.advertise(names);
            var refs = new HashMap<RefName, Oid>();
            names.forEach(name -> said.findTarget(name).ifPresent(target -> refs.put(name, target)));
            return new Advertisement(
                    wanted.stream().filter(said::contains).collect(Collectors.toSet()),
                    refs,
                    said.fingerprint().toHex(),
                    said.rest() != dev.grapnel.git.client.Advertisement.Rest.WITHHELD);
        });
    }

    @Override
    public Fetched fetch(List<Oid> wants, Set<Oid> hoped) throws VisitFailed {
        return attempt(() -> desk.work(() -> {
            long before = visit.bytesReceived();
            var came = visit.fetch(wants);
            long bytes = visit.bytesReceived() - before;
            return switch (came) {
                case dev.grapnel.git.client.Fetched.Received _ -> new Fetched(obtained(wants, hoped), Set.of(), bytes);
                case dev.grapnel.git.client.Fetched.Unknown(var id) -> new Fetched(Set.of(), Set.of(id), bytes);
                case dev.grapnel.git.client.Fetched.OnlyAdvertised _ -> new Fetched(Set.of(), Set.copyOf(wants), bytes);
                case dev.grapnel.git.client.Fetched.Unwanted _ -> new Fetched(Set.of(), Set.of(), bytes);
            };
        }));
    }

    /// What counts is what is here with all it reaches (P-664).
    private Set<Oid> obtained(List<Oid> wants, Set<Oid> hoped) throws IOException {
        var obtained = new HashSet<>(wants);
        obtained.addAll(hoped);
        obtained.removeAll(missing.look());
        return obtained;
    }

    private interface Step<T> {
        T take() throws IOException;
    }

    private <T> T attempt(Step<T> step) throws VisitFailed {
        try {
            return step.take();
        } catch (dev.grapnel.git.client.VisitFailed e) {
            throw new VisitFailed(isCancelled.get() ? new Failure.Cancelled() : failure(e.fault()), domain(), e);
        } catch (IOException e) {
            if (!isCancelled.get()) {
                LOG.error("what was fetched could not be kept", e);
            }
            throw new VisitFailed(new Failure.Cancelled(), domain(), e);
        }
    }

    private Host domain() {
        return transport.base().host();
    }

    /// By what happened, never by a stranger's words (P-670).
    private Failure failure(Fault fault) {
        return switch (fault) {
            case Fault.Status(int status, var retryAfter) -> ofStatus(status, retryAfter);
            case Fault.Unsuitable _ -> new Failure.NotThere();
            case Fault.Malformed _, Fault.Complaint _ -> new Failure.Passing();
            case Fault.Hostile _ -> new Failure.Hostile();
            case Fault.Full _ -> new Failure.Cancelled();
            case Fault.Disconnected(var cause) ->
                cause instanceof OutboundException outbound ? ofLine(outbound.failure()) : new Failure.Passing();
        };
    }

    private static Failure ofStatus(int status, Optional<java.time.Duration> retryAfter) {
        return switch (status) {
            case 429, 503 -> new Failure.SlowDown(retryAfter);
            case 408 -> new Failure.Passing();
            default -> status >= 500 ? new Failure.Passing() : new Failure.NotThere();
        };
    }

    private Failure ofLine(dev.grapnel.outbound.Failure failure) {
        return switch (failure) {
            case dev.grapnel.outbound.Failure.Policy(var rule, var _) -> new Failure.Forbidden(rule.word());
            case dev.grapnel.outbound.Failure.NoSuchName _ -> new Failure.Broken(NaughtyCause.DNS);
            case dev.grapnel.outbound.Failure.CertificateInvalid _, dev.grapnel.outbound.Failure.HandshakeRefused _ ->
                new Failure.Broken(NaughtyCause.TLS);
            case dev.grapnel.outbound.Failure.TooLarge _ -> new Failure.Hostile();
            case dev.grapnel.outbound.Failure.Busy _ ->
                busy.get().<Failure>map(Failure.BusyAddress::new).orElseGet(Failure.Passing::new);
            case dev.grapnel.outbound.Failure.Cancelled _ -> new Failure.Cancelled();
            case dev.grapnel.outbound.Failure.LookupFailed _,
                    dev.grapnel.outbound.Failure.ConnectFailed _,
                    dev.grapnel.outbound.Failure.TlsFailed _,
                    dev.grapnel.outbound.Failure.Timeout _,
                    dev.grapnel.outbound.Failure.Broken _,
                    dev.grapnel.outbound.Failure.Protocol _ -> new Failure.Passing();
        };
    }

    @Override
    public void cancel() {
        isCancelled.set(true);
        visit.close();
        desk.cancel();
    }

    @Override
    public void close() {
        visit.close();
        restsOn.forEach(RepositoryLease::close);
    }
}
