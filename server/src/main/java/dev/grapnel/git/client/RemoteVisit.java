package dev.grapnel.git.client;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pack.Intake;
import dev.grapnel.git.pack.PackIntake;
import dev.grapnel.git.pack.ReceivedPack;
import dev.grapnel.git.repository.HuntingAreas;
import dev.grapnel.git.repository.HuntingQuarantine;
import dev.grapnel.git.repository.NoRoom;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/// One visit to the repository of a stranger: first it says what it has, then objects may be asked for,
/// each time in one request.
///
/// One thread makes the visit; any thread may end it by closing it, and nothing of what was under way is
/// left.
public final class RemoteVisit implements AutoCloseable {
    /// Most ids in one request (purgatory P-611).
    public static final int WANTS_MAX = 2000;

    /// Of the size of a pack, for marks of bands: they have 5 bytes for 995 of the pack, or for more.
    private static final int AROUND_PART = 16;

    private static final long AROUND_MAX = 2 * PackAnswer.WORDS_MAX;

    private final Exchange exchange;
    private final Target target;
    private final VisitLimits limits;
    private final FreeSpace space;
    private @Nullable Greeting greeting;
    private @Nullable Advertisement advertised;

    /// Where objects go, and what is here already.
    ///
    /// @param identifier whose area gets them
    /// @param restsOn repositories on which they may rest, as far as these are whole; they stay open until
    ///     the visit ends. Where something is to be repaired, the damaged one must not be among them
    /// @param tips commits in them or in the area that may be named to strangers, and of which everything
    ///     they reach is here and counts for every event of the identifier: what refs show, and nothing
    ///     hidden
    /// @param commits of what may be asked for, that which is of no use unless it is a commit
    public record Target(
            HuntingAreas areas,
            Identifier identifier,
            List<RepositoryLease> restsOn,
            Collection<Oid> tips,
            Set<Oid> commits) {
        public Target {
            restsOn = restsOn.stream()
                    .filter(lease -> !lease.isPartial() && !lease.isForeign())
                    .toList();
            tips = List.copyOf(tips);
            commits = Set.copyOf(commits);
        }
    }

    /// @param transport is closed with the visit
    /// @param space below whose floor nothing is fetched
    public RemoteVisit(Transport transport, Target target, VisitLimits limits, FreeSpace space, InstantSource clock) {
        this.exchange = new Exchange(transport, clock);
        this.target = target;
        this.limits = limits;
        this.space = space;
    }

    /// Asks what there is.
    ///
    /// @param names refs of which the targets are wanted
    /// @throws VisitFailed if nothing comes of it
    public Advertisement advertise(Set<RefName> names) throws IOException {
        try {
            var refs = new RefListing(names);
            var greeted = exchange.get(refsMax(), body -> Greeting.read(new PacketReader(body), refs));
            if (greeted.isVersion2()) {
                exchange.post(
                        Requests.list(greeted), true, Transport.Awaited.REFS, refsMax(), body -> list(body, refs));
            }
            greeting = greeted;
            var listed = refs.finish(greeted.rest());
            advertised = listed;
            return listed;
        } catch (BrokenPacket e) {
            throw malformed(e);
        } catch (Complained e) {
            throw new VisitFailed(new Fault.Complaint(e.words()));
        }
    }

    private RemoteBytes.Most refsMax() {
        return new RemoteBytes.Most("what it says about its refs", limits.advertisementBytes());
    }

    /// With what stands around the pack: marks of bands, of which some have no content and only show that the
    /// server is still at work, lines before it and words beside it.
    private RemoteBytes.Most packMax() {
        long pack = limits.pack().packBytes();
        long around = (pack / AROUND_PART) + AROUND_MAX;
        return new RemoteBytes.Most("its answer with the pack", pack > Long.MAX_VALUE - around ? pack : pack + around);
    }

    private static RefListing list(InputStream body, RefListing refs) throws IOException {
        var packets = new PacketReader(body);
        for (var packet = packets.next(); !(packet instanceof Packet.Flush); packet = packets.next()) {
            refs.takeVersion2(Greeting.require(packet));
        }
        return refs;
    }

    private static VisitFailed malformed(BrokenPacket e) {
        return new VisitFailed(new Fault.Malformed(String.valueOf(e.getMessage())));
    }

    /// Asks for objects with everything they reach, in one request; what came is durable when this returns.
    /// To be called after [#advertise], as often as wanted.
    ///
    /// @param wants at least one, and at most [#WANTS_MAX]
    /// @throws VisitFailed if nothing comes of it
    public Fetched fetch(Collection<Oid> wants) throws IOException {
        var asked = new LinkedHashSet<>(wants);
        if (asked.isEmpty() || asked.size() > WANTS_MAX) {
            throw new IllegalArgumentException("1 to " + WANTS_MAX + " objects are asked for at once");
        }
        var server = greeting;
        var known = advertised;
        if (server == null || known == null) {
            throw new IllegalStateException("a visit begins with the advertisement");
        }
        boolean isInVain =
                known.rest() == Advertisement.Rest.WITHHELD && !asked.stream().allMatch(known::contains);
        return isInVain ? new Fetched.OnlyAdvertised() : fetch(asked, server, known);
    }

    private Fetched fetch(Set<Oid> wants, Greeting server, Advertisement known) throws IOException {
        if (space.isLow()) {
            throw new VisitFailed(new Fault.Full(Optional.empty()));
        }
        try (var quarantine = target.areas().receive(target.identifier(), target.restsOn(), limits.area())) {
            var request = Requests.fetch(server, wants, haves(wants, known, quarantine));
            return exchange.post(
                    request,
                    server.isVersion2(),
                    Transport.Awaited.PACK,
                    packMax(),
                    body -> receive(wants, server, quarantine, body));
        } catch (NoRoom e) {
            throw new VisitFailed(new Fault.Full(Optional.of(e.where())));
        } catch (FreeSpace.TooLow _) {
            throw new VisitFailed(new Fault.Full(Optional.empty()));
        } catch (BrokenPacket e) {
            throw malformed(e);
        } catch (Complained e) {
            return Refusals.find(e.words(), wants)
                    .<Fetched>map(Fetched.Unknown::new)
                    .orElseThrow(() -> new VisitFailed(new Fault.Complaint(e.words())));
        }
    }

    private List<Oid> haves(Set<Oid> wants, Advertisement known, HuntingQuarantine quarantine) throws IOException {
        try (var here = quarantine.here()) {
            return Haves.choose(here, target.tips(), known::contains, wants);
        }
    }

    private Fetched receive(Set<Oid> wants, Greeting server, HuntingQuarantine quarantine, InputStream body)
            throws IOException {
        var answer = new PackAnswer(body);
        var pack = quarantine.watching(space.watching(answer.open(server)));
        try (var here = quarantine.here()) {
            var intake = new PackIntake(limits.pack(), quarantine.packDirectory(), here);
            return switch (intake.receive(pack)) {
                case Intake.Refused(var reason, var flaw, var _) ->
                    throw new VisitFailed(
                            server.isShallow() || answer.isShallow()
                                    ? new Fault.Unsuitable("its history is cut off")
                                    : fault(flaw, reason));
                case Intake.Empty _ -> {
                    if (findMissing(wants, here).isPresent()) {
                        throw new VisitFailed(new Fault.Malformed("the pack is empty"));
                    }
                    yield new Fetched.Received(0, 0);
                }
                case Intake.Received(var received) -> {
                    requireWhole(received);
                    requireAll(missing(wants, received), here);
                    var other = findOtherThanCommit(wants, received);
                    yield other.isPresent() ? new Fetched.Unknown(other.get()) : moveIn(received, quarantine);
                }
            };
        }
    }

    private static Fault fault(Intake.Flaw flaw, String reason) {
        return switch (flaw) {
            case BROKEN -> new Fault.Malformed(reason);
            case HARMFUL -> new Fault.Hostile(reason);
        };
    }

    /// Whoever signs a state can name any object of an innocent server as a branch. So that is no fault of the
    /// server's: it has no such commit (purgatory P-808).
    private Optional<Oid> findOtherThanCommit(Set<Oid> wants, ReceivedPack pack) {
        return wants.stream()
                .filter(target.commits()::contains)
                .filter(id -> pack.findType(id)
                        .filter(type -> type != ObjectType.COMMIT)
                        .isPresent())
                .findFirst();
    }

    private static Fetched moveIn(ReceivedPack pack, HuntingQuarantine quarantine) throws IOException {
        return quarantine.moveIn(pack.borrowed().isEmpty())
                ? new Fetched.Received(pack.objects(), pack.bytes())
                : new Fetched.Unwanted();
    }

    /// A delta on something that is here copies it, even if it is hidden from those for whom the area is.
    private static void requireWhole(ReceivedPack pack) throws VisitFailed {
        if (pack.added() > 0) {
            throw new VisitFailed(
                    new Fault.Hostile("the pack has deltas on objects that are not in it, which was not asked for"));
        }
    }

    private static Set<Oid> missing(Set<Oid> wants, ReceivedPack pack) {
        var missing = new HashSet<>(wants);
        missing.removeIf(id -> pack.findType(id).isPresent());
        return missing;
    }

    /// The id of an object is the hash of its content: a whole pack without it has another content in its place.
    private static void requireAll(Set<Oid> ids, ObjectReader here) throws IOException {
        var lost = findMissing(ids, here);
        if (lost.isPresent()) {
            throw new VisitFailed(new Fault.Hostile("the pack lacks " + lost.get() + ", which was asked for"));
        }
    }

    private static Optional<Oid> findMissing(Set<Oid> ids, ObjectReader here) throws IOException {
        for (var id : ids) {
            if (!here.has(GitIds.of(id))) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    /// Bytes that came so far, whatever they were; may be asked by any thread.
    public long bytesReceived() {
        return exchange.received();
    }

    /// Ends it, whatever is under way.
    @Override
    public void close() {
        exchange.close();
    }
}
