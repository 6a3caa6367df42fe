package dev.grapnel.server.hunt;

import dev.grapnel.git.client.Fault;
import dev.grapnel.git.client.RemoteVisit;
import dev.grapnel.git.repository.NoRoom;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.Advertisement;
import dev.grapnel.purgatory.hunt.Failure;
import dev.grapnel.purgatory.hunt.Fetched;
import dev.grapnel.purgatory.hunt.Room;
import dev.grapnel.purgatory.hunt.Site;
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
    private final RemoteUrl url;
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
        this.url = transport.base();
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
            var came = visit.fetch(wants);
            return switch (came) {
                case dev.grapnel.git.client.Fetched.Received _ -> new Fetched(obtained(wants, hoped), Set.of());
                case dev.grapnel.git.client.Fetched.Unknown(var id) -> new Fetched(Set.of(), Set.of(id));
                case dev.grapnel.git.client.Fetched.OnlyAdvertised _ -> new Fetched(Set.of(), Set.copyOf(wants));
                case dev.grapnel.git.client.Fetched.Unwanted _ -> new Fetched(Set.of(), Set.of());
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
            if (isCancelled.get()) {
                throw new VisitFailed(new Failure.Cancelled(), domain(), e);
            }
            var failure = failure(e.fault());
            var whose = failure instanceof Failure.LedAway ? url : transport.base(); // who leads astray is to blame
            throw new VisitFailed(failure, Site.of(whose), reason(e.fault()), e);
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

    /// For the operator, who can do something about it; nothing of it is a stranger's.
    private String reason(Fault fault) {
        var what = switch (fault) {
            case Fault.Status(int status, var retryAfter) ->
                "status " + status
                        + retryAfter
                                .map(wait -> ", retry after " + wait.toSeconds() + " s")
                                .orElse("");
            case Fault.Unsuitable(var reason) -> reason;
            case Fault.Malformed(var reason) -> reason;
            case Fault.Hostile(var reason) -> reason;
            case Fault.Complaint _ -> "it said that it failed";
            case Fault.Disconnected(var cause) ->
                cause instanceof OutboundException outbound ? text(failure(outbound)) : "the connection broke";
            case Fault.Full(var where) ->
                where.isPresent() ? "no room is left for what is fetched" : "the disk is nearly full";
        };
        return isElsewhere() ? what + ", after a redirect to " + domain() : what;
    }

    private static String text(dev.grapnel.outbound.Failure failure) {
        return failure instanceof dev.grapnel.outbound.Failure.Policy(var _, var reason) ? reason : failure.text();
    }

    /// What a redirect led to says nothing about the URL that was published.
    private dev.grapnel.outbound.Failure failure(OutboundException e) {
        return isElsewhere() && e.failure() instanceof dev.grapnel.outbound.Failure.Policy(var rule, var reason)
                ? new dev.grapnel.outbound.Failure.Redirected(rule, reason)
                : e.failure();
    }

    private boolean isElsewhere() {
        return !transport.base().equals(url);
    }

    /// By what happened, never by a stranger's words (P-670).
    private Failure failure(Fault fault) {
        return switch (fault) {
            case Fault.Status(int status, var retryAfter) -> Failures.ofStatus(status, retryAfter);
            case Fault.Unsuitable _ -> new Failure.NotThere();
            case Fault.Malformed _ -> new Failure.Passing();
            case Fault.Complaint _ -> new Failure.Complained();
            case Fault.Hostile _ -> new Failure.Hostile();
            case Fault.Full(var where) ->
                new Failure.Full(where.map(GitVisit::room).orElse(Room.DISK));
            case Fault.Disconnected(var cause) ->
                cause instanceof OutboundException outbound
                        ? Failures.ofLine(failure(outbound), busy.get())
                        : new Failure.Passing();
        };
    }

    private static Room room(NoRoom.Where where) {
        return switch (where) {
            case AREA -> Room.AREA;
            case TOTAL -> Room.AREAS;
        };
    }

    @Override
    public long bytesReceived() {
        return visit.bytesReceived();
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
