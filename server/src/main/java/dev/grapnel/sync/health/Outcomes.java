package dev.grapnel.sync.health;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.purgatory.hunt.Site;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What becomes of a relay's record when an attempt or a link ends (R4.27, R6.1 to R6.11). While we are cut off
/// nothing is held against anybody, but what a relay asks for is still done.
final class Outcomes {
    /// Until places of our own may be free again.
    static final Duration BUSY = Duration.ofSeconds(60);

    private static final Duration TURNED_AWAY = Duration.ofHours(24);

    /// Blame that may have to be taken back; older blame is forgotten first.
    private static final int BLAME_MAX = 100;

    private final HealthConfig config;
    private final OutageGuard guard;
    private final Roster roster;
    private final NaughtyList naughty;
    private final Scheduler loop;
    private final Consumer<HealthNote> notes;
    private final Deque<Blame> blame = new ArrayDeque<>();

    /// Somebody was put on a list while we had no link, so that it may have been us.
    private record Blame(long at, Runnable takeBack) {}

    Outcomes(
            HealthConfig config,
            OutageGuard guard,
            Roster roster,
            NaughtyList naughty,
            Scheduler loop,
            Consumer<HealthNote> notes) {
        this.config = config;
        this.guard = guard;
        this.roster = roster;
        this.naughty = naughty;
        this.loop = loop;
        this.notes = notes;
    }

    private Moment now() {
        return guard.moment(loop.nanos());
    }

    /// There is a link.
    void opened(Seat seat) {
        reached(guard.succeeded(loop.nanos()));
        seat.record().opened(loop.nanos());
    }

    private void reached(boolean endsOutage) {
        blame.clear();
        if (endsOutage) {
            notes.accept(new HealthNote.BackOnline());
        }
    }

    /// The server did not want to speak WebSocket with us.
    void refused(Seat seat, int status, Optional<Duration> retryAfter) {
        reached(guard.reached(loop.nanos()));
        switch (status) {
            case 429 -> coolDown(seat, retryAfter.orElse(Duration.ZERO));
            case 401, 403 -> {
                seat.record().park(loop.nanos(), TURNED_AWAY);
                notes.accept(new HealthNote.TurnedAway(seat.candidate().url(), status));
            }
            default -> fail(seat, status >= 500 ? Optional.empty() : Optional.of(RelayFault.PROTOCOL));
        }
    }

    private void coolDown(Seat seat, Duration atLeast) {
        if (seat.record().coolDown(loop.nanos(), atLeast)) {
            var length = seat.record().coolingFor(loop.nanos());
            notes.accept(new HealthNote.CoolingDown(seat.candidate().url(), length));
        }
    }

    /// There is no link.
    void failed(Seat seat, Failure failure) {
        switch (failure) {
            case Failure.Busy _ -> seat.record().postpone(loop.nanos(), BUSY);
            case Failure.Cancelled _ -> {} // by us
            case Failure.Policy(var rule, var _)
            when rule == Rule.OWN -> seat.record().callOurs(loop.nanos()); // R1.15: we need not look again
            case Failure.Policy _ -> fail(seat, Optional.empty()); // nobody was asked
            case Failure.Redirected _,
                    Failure.NoSuchName _,
                    Failure.LookupFailed _,
                    Failure.ConnectFailed _,
                    Failure.CertificateInvalid _,
                    Failure.HandshakeRefused _,
                    Failure.TlsFailed _,
                    Failure.Timeout _,
                    Failure.Broken _,
                    Failure.Protocol _,
                    Failure.Flooded _,
                    Failure.TooLarge _ -> {
                tried(seat);
                fail(seat, RelayFault.of(failure));
            }
        }
    }

    /// The link is no more.
    ///
    /// @param isPlanned whether we wanted that
    void lost(Seat seat, Failure failure, boolean isPlanned) {
        guard.ended();
        seat.record().ended(now());
        if (isPlanned) {
            return;
        }
        if (failure instanceof Failure.Busy) {
            seat.record().postpone(loop.nanos(), BUSY);
        } else {
            fail(seat, RelayFault.of(failure));
        }
    }

    /// Names that anybody can have us dial show nothing, unless there are no others.
    private void tried(Seat seat) {
        boolean isEvidence = !seat.isDoubtful() || roster.hasOnlyDoubtful();
        if (isEvidence && guard.failed(seat.relay(), loop.nanos())) {
            takeBack();
            notes.accept(new HealthNote.CutOff());
        }
    }

    private void fail(Seat seat, Optional<RelayFault> fault) {
        if (guard.isOn()) {
            return;
        }
        fault.ifPresent(found -> accuse(seat, found));
        var deadWait = seat.isBootstrap() ? config.backoff().max() : RelayRecord.DEAD;
        if (seat.record().failed(now(), config.backoff(), deadWait)) {
            notes.accept(new HealthNote.Died(seat.candidate().url()));
        }
    }

    // ---- the naughty list

    private void accuse(Seat seat, RelayFault fault) {
        switch (fault) {
            case DNS -> accuseSite(seat.candidate().url(), fault, NaughtyCause.DNS);
            case TLS -> accuseSite(seat.candidate().url(), fault, NaughtyCause.TLS);
            case PROTOCOL -> accuseUrl(seat);
        }
    }

    private void accuseSite(RemoteUrl relay, RelayFault fault, NaughtyCause cause) {
        var site = Site.of(relay);
        boolean isOurs = naughty.find(site).isEmpty();
        var entry = naughty.add(site, cause);
        entry.until().ifPresent(until -> {
            notes.accept(new HealthNote.Naughty(relay, fault, until, entry.isFirst()));
            if (isOurs) {
                remember(() -> naughty.remove(site));
            }
        });
    }

    private void accuseUrl(Seat seat) {
        var record = seat.record();
        boolean isOurs = record.protocolLeft(loop.nanos()) == 0;
        boolean isFirst = record.addProtocolFault(loop.nanos(), config.naughtyPeriod());
        var until = loop.wall().plusNanos(record.protocolLeft(loop.nanos()));
        notes.accept(new HealthNote.Naughty(seat.candidate().url(), RelayFault.PROTOCOL, until, isFirst));
        if (isOurs) {
            remember(record::forgiveProtocolFault);
        }
    }

    private void remember(Runnable takeBack) {
        if (!guard.hasLinks()) {
            blame.add(new Blame(loop.nanos(), takeBack));
            if (blame.size() > BLAME_MAX) {
                blame.removeFirst();
            }
        }
    }

    /// What showed that it is us had put others on the list before it was enough to show it.
    private void takeBack() {
        long now = loop.nanos();
        for (var each : blame) {
            if (now - each.at() <= OutageGuard.WINDOW.toNanos()) {
                each.takeBack().run();
            }
        }
        blame.clear();
    }

    /// Nanoseconds for which a relay is left alone because of its set-up; 0 if it is not. The operator's own choice is
    /// asked whenever its backoff allows: it never waits longer (R6.4).
    long naughtyLeft(Seat seat) {
        if (seat.isBootstrap()) {
            return 0;
        }
        long bySite = findBlame(seat).map(blame -> nanosUntil(blame.until())).orElse(0L);
        return Math.max(bySite, seat.record().protocolLeft(loop.nanos()));
    }

    private Optional<NaughtyList.Blame> findBlame(Seat seat) {
        return naughty.find(Site.of(seat.candidate().url()));
    }

    /// What its failures, its set-up and its refusals have a relay wait for is over; how often it failed is still
    /// known.
    void forgive(Seat seat) {
        naughty.remove(Site.of(seat.candidate().url()));
        seat.record().forgiveProtocolFault();
        seat.record().unpark();
        seat.record().hasten();
    }

    /// Why a relay that rests is not dialled.
    ///
    /// @param ofRetry what it waits for if it was put off
    Optional<DialWait> longestWait(Seat seat, DialWait.Cause ofRetry) {
        long now = loop.nanos();
        var record = seat.record();
        return Stream.of(
                        naughtyWait(seat),
                        DialWait.of(DialWait.Cause.PARKED, record.parked().left(now)),
                        DialWait.of(DialWait.Cause.OURS, record.oursLeft(now)),
                        DialWait.of(DialWait.Cause.COOLING, record.cooldown().left(now)),
                        DialWait.of(ofRetry, record.retry().left(now)),
                        DialWait.of(DialWait.Cause.AWAY, seat.awayLeft(now)))
                .max(Comparator.comparing(DialWait::left));
    }

    /// For how long a relay is left alone because of its set-up, and what is wrong: perhaps another URL showed it.
    private DialWait naughtyWait(Seat seat) {
        var words = findBlame(seat).map(NaughtyList.Blame::words).orElse("it does not speak WebSocket there");
        return new DialWait(DialWait.Cause.NAUGHTY, Duration.ofNanos(naughtyLeft(seat)), words);
    }

    private long nanosUntil(Instant date) {
        return Math.max(0, Duration.between(loop.wall(), date).toNanos());
    }

    /// Why a relay is left alone, if it is.
    Optional<RelayFault> findFault(Seat seat) {
        return findBlame(seat)
                .flatMap(blame -> RelayFault.of(blame.cause()))
                .or(() -> seat.record().protocolLeft(loop.nanos()) > 0
                        ? Optional.of(RelayFault.PROTOCOL)
                        : Optional.empty());
    }
}
