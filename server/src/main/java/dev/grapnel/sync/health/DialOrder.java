package dev.grapnel.sync.health;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.hunt.NaughtyList;
import dev.grapnel.sync.health.DialWait.Cause;
import dev.grapnel.sync.health.Seat.Stage;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Decides whom to dial when (R4.4, R4.31, R1.16, R8.9), and keeps the records of how that went.
///
/// It is told what is wanted and what happens, and says `dial` and `leave`. Every relay that is followed has a [Seat]
/// in one of a few sorted queues, so whatever happens to one costs the logarithm of their number. One timer runs, for
/// the next moment at which something changes by itself.
///
/// Belongs to the loop. [RelayDialer] may call back from within its methods.
public final class DialOrder {
    private static final int DIALLING_MAX = 32;
    private static final int DIALS_PER_SECOND = 20;

    /// After everything has come, a visitor stays for what is just being published.
    private static final Duration LINGER = Duration.ofSeconds(60);

    /// Before a visitor comes again: as soon as it could, it would come every minute and ask for the same again. Later,
    /// its coming would be no quick one any more (R4.10).
    private static final Duration AWAY = Duration.ofMinutes(10);

    private final Scheduler loop;
    private final RelayDialer dialer;
    private final Consumer<HealthNote> notes;
    private final HealthBook book;
    private final HealthConfig config;
    private final OutageGuard guard = new OutageGuard();
    private final Outcomes outcomes;
    private final Map<Integer, Candidate> candidates = new LinkedHashMap<>();
    private final Map<Integer, Seat> seats = new LinkedHashMap<>();
    private final Roster roster;
    private final SeatQueues queues = new SeatQueues();
    private final Rotation rotation;
    private final HostPlaces hosts = new HostPlaces();
    private final MachinePlaces machines = new MachinePlaces();
    private final SlidingLimit pace = new SlidingLimit(DIALS_PER_SECOND, Duration.ofSeconds(1));
    private final Wake wake;
    private final Probes probes = new Probes();
    private long numbers;
    private boolean isTurning;
    private boolean isAgain;
    private boolean isClosed;

    /// @param naughty shared with hunting
    public DialOrder(
            HealthConfig config,
            HealthBook book,
            NaughtyList naughty,
            Scheduler loop,
            RelayDialer dialer,
            Consumer<HealthNote> notes) {
        this.config = config;
        this.book = book;
        this.loop = loop;
        this.dialer = dialer;
        this.notes = notes;
        this.roster = new Roster(config.relaysMax(), Roster.WAITING_MAX);
        this.outcomes = new Outcomes(config, guard, roster, naughty, loop, notes);
        this.rotation = new Rotation(config.linksMax(), this::move);
        this.wake = new Wake(loop, this::turn);
    }

    // ---- what is wanted

    /// A relay is wanted, or with another standing than before.
    ///
    /// @param owners of repositories that name it
    public void want(int relay, RemoteUrl url, Standing standing, List<PublicKey> owners) {
        var known = candidates.get(relay);
        if (known == null) {
            add(new Candidate(relay, url, ++numbers, standing));
        } else if (!known.standing().equals(standing)) {
            change(known, standing);
        }
        Optional.ofNullable(candidates.get(relay)).ifPresent(candidate -> roster.name(candidate, owners));
        turn();
    }

    private void add(Candidate candidate) {
        candidates.put(candidate.relay(), candidate);
        roster.add(candidate).ifPresent(forgotten -> candidates.remove(forgotten.relay()));
    }

    private void change(Candidate candidate, Standing standing) {
        if (roster.isFollowed(candidate)) {
            var seat = seat(candidate.relay());
            rotation.change(seat, () -> queues.change(seat, _ -> roster.change(candidate, standing)));
            if (seat.stage() == Stage.HELD) {
                hosts.unhold(seat);
                queue(seat); // perhaps it goes before those of its host that are connected now
            }
        } else {
            roster.change(candidate, standing);
        }
    }

    /// A relay is not wanted any more.
    public void unwant(int relay) {
        var candidate = candidates.remove(relay);
        if (candidate != null) {
            boolean wasFollowed = roster.isFollowed(candidate);
            roster.remove(candidate);
            if (wasFollowed) {
                unseat(seat(relay));
            }
            turn();
        }
    }

    // ---- what happens

    /// There is a link.
    ///
    /// @param machine whom it leads to
    public void opened(int relay, String machine) {
        find(relay, Stage.DIALLING).ifPresent(seat -> {
            outcomes.opened(seat);
            machines.take(seat, machine);
            long now = loop.nanos();
            queues.change(seat, s -> s.open(now, Deadline.after(now, rotation.stay())));
            turn();
        });
    }

    /// The server answered with another status than 101 (R4.27).
    public void refused(int relay, int status, Optional<Duration> retryAfter) {
        find(relay, Stage.DIALLING)
                .ifPresent(seat -> endInVain(seat, () -> outcomes.refused(seat, status, retryAfter)));
    }

    /// There is no link.
    public void failed(int relay, Failure failure) {
        find(relay, Stage.DIALLING).ifPresent(seat -> {
            if (failure instanceof Failure.Busy(var _, var crowded) && machines.await(seat, crowded)) {
                seat.record().postpone(loop.nanos(), MachinePlaces.PATIENCE);
            }
            endInVain(seat, () -> outcomes.failed(seat, failure));
            makeWay();
        });
    }

    private void endInVain(Seat seat, Runnable outcome) {
        boolean wasCutOff = guard.isOn();
        outcome.run();
        end(seat);
        if (guard.isOn() && !wasCutOff) {
            check(); // others wait because of blame that was taken back
        }
    }

    /// The relay does not want us, or we do not want it (R4.5a, R4.20 line 10). A link stays as long as its owner
    /// wants; an attempt is over by this.
    public void parked(int relay, Duration length) {
        findRecord(relay).ifPresent(record -> record.park(loop.nanos(), length));
        find(relay, Stage.DIALLING).ifPresent(this::end);
    }

    /// All that was outstanding has come: the link is in state Connected (R8.9).
    public void synced(int relay) {
        find(relay, Stage.UP).filter(seat -> !seat.isSynced()).ifPresent(seat -> {
            queues.change(seat, s -> s.synced(Deadline.after(loop.nanos(), LINGER)));
            turn();
        });
    }

    /// The link is no more.
    ///
    /// @param isPlanned whether we wanted that; then it is no failure, whatever ended it
    public void lost(int relay, Failure failure, boolean isPlanned) {
        Optional.ofNullable(seats.get(relay))
                .filter(seat -> seat.stage() == Stage.UP || seat.stage() == Stage.LEAVING)
                .ifPresent(seat -> {
                    outcomes.lost(seat, failure, isPlanned || seat.stage() == Stage.LEAVING);
                    end(seat);
                });
    }

    /// Looks whether somebody waits in vain (R4.31): the clock of dates may have been set, the operator may have
    /// taken somebody off the naughty list.
    public void check() {
        List.copyOf(queues.resting()).forEach(this::queue);
        hosts.foremost().stream().filter(seat -> seat.stage() == Stage.HELD).forEach(seat -> {
            hosts.findYielding(seat, loop.nanos()).ifPresent(other -> giveWay(other, seat));
            release(seat);
        });
        makeWay();
        machines.findNext().forEach(this::hasten);
        turn();
    }

    /// The operator wants a relay to be tried now, as far as that is not against its own wish (R4.29).
    public void hurry(int relay) {
        Optional.ofNullable(seats.get(relay)).filter(seat -> !seat.isInUse()).ifPresent(seat -> {
            queues.change(seat, Seat::hurry);
            if (seat.stage() == Stage.RESTING) {
                outcomes.forgive(seat);
                queue(seat);
            }
            turn();
        });
    }

    /// Nothing is dialled any more; links are their owner's to end.
    public void close() {
        isClosed = true;
        wake.close();
    }

    // ---- what is known

    /// Whether a relay is wanted, or not yet let go.
    public boolean isKnown(int relay) {
        return candidates.containsKey(relay) || seats.containsKey(relay);
    }

    /// The record of a relay, if there is something to know.
    public Optional<RelayRecord> findRecord(int relay) {
        return Optional.ofNullable(seats.get(relay))
                .map(Seat::record)
                .or(() -> Optional.ofNullable(candidates.get(relay)).flatMap(each -> book.find(each.url())));
    }

    /// How a relay fares (6.1).
    public RelayStatus status(int relay) {
        return findRecord(relay).map(record -> record.status(moment())).orElse(RelayStatus.DISCONNECTED);
    }

    /// Why a relay that is wanted is not being dialled; empty while it is, or while there is a link.
    public Optional<DialWait> findWait(int relay) {
        var seat = seats.get(relay);
        if (seat == null) {
            return candidates.containsKey(relay) ? Optional.of(DialWait.of(Cause.FULL, 0)) : Optional.empty();
        }
        return switch (seat.stage()) {
            case DIALLING, UP, LEAVING -> Optional.empty();
            case HELD -> Optional.of(DialWait.of(Cause.HOST, 0));
            case READY -> Optional.of(DialWait.of(guard.isOn() ? Cause.CUT_OFF : Cause.QUEUED, 0));
            case RESTING -> outcomes.longestWait(seat, machines.isWaiting(seat) ? Cause.HOST : Cause.FAILED);
        };
    }

    /// Whether we seem to be cut off (R6.6).
    public boolean isCutOff() {
        return guard.isOn();
    }

    /// Now, without the time for which we were cut off.
    Moment moment() {
        return guard.moment(loop.nanos());
    }

    /// Numbers for metrics.
    public DialFigures figures() {
        var naughty = new EnumMap<RelayFault, Integer>(RelayFault.class);
        int dead = 0;
        for (var seat : seats.values()) {
            outcomes.findFault(seat).ifPresent(fault -> naughty.merge(fault, 1, Integer::sum));
            dead += seat.record().status(moment()) == RelayStatus.DEAD ? 1 : 0;
        }
        int queued = queues.readyToStay().size() + queues.readyToVisit().size() + queues.held();
        return new DialFigures(
                roster.followedCount(), roster.waitingCount(), queues.up(), queues.dialling(), queued, dead, naughty);
    }

    // ---- seats

    private Seat seat(int relay) {
        return Objects.requireNonNull(seats.get(relay), "a relay that is followed has a seat");
    }

    private Optional<Seat> find(int relay, Stage stage) {
        return Optional.ofNullable(seats.get(relay)).filter(seat -> seat.stage() == stage);
    }

    private final class Seating implements Roster.Listener {
        @Override
        public void followed(Candidate candidate) {
            var leaving = seats.get(candidate.relay());
            if (leaving == null) {
                dialer.followed(candidate.relay());
                var seat = new Seat(candidate, record(candidate));
                seats.put(candidate.relay(), seat);
                queues.add(seat);
                rotation.add(seat);
                queue(seat);
            } else {
                queues.change(leaving, seat -> seat.rejoin(candidate));
                rotation.add(leaving);
            }
        }

        private RelayRecord record(Candidate candidate) {
            var record = book.follow(candidate.url());
            if (candidate.standing().isBootstrap()) { // and was an ordinary one, perhaps, when it failed (R6.4)
                record.waitAtMost(loop.nanos(), config.backoff().max());
            }
            return record;
        }

        @Override
        public void dropped(Candidate candidate) {
            unseat(seat(candidate.relay()));
        }

        @Override
        public void waits(Candidate candidate) {
            notes.accept(new HealthNote.KeptWaiting(candidate.url()));
        }
    }

    /// Has a relay keep its link, or take turns.
    private void move(Seat seat, boolean isPermanent) {
        queues.change(seat, s -> s.setPermanent(isPermanent));
        if (seat.stage() == Stage.RESTING) {
            queue(seat); // perhaps only until its next turn
        }
    }

    /// Takes a seat from a relay; a link is ended first.
    private void unseat(Seat seat) {
        rotation.remove(seat);
        queues.change(seat, Seat::unfollow);
        if (seat.stage() == Stage.HELD) {
            hosts.unhold(seat);
        }
        if (seat.isInUse()) {
            leave(seat);
        } else {
            forget(seat);
        }
    }

    private void forget(Seat seat) {
        machines.unwait(seat);
        queues.remove(seat);
        seats.remove(seat.relay());
        book.leave(seat.candidate().url(), loop.nanos(), loop.wall());
        dialer.dropped(seat.relay());
    }

    /// Ends an attempt or a link because we want to.
    private void leave(Seat seat) {
        switch (seat.stage()) {
            case DIALLING -> {
                dialer.leave(seat.relay());
                end(seat);
            }
            case UP -> {
                queues.change(seat, Seat::leave);
                dialer.leave(seat.relay());
            }
            case RESTING, READY, HELD, LEAVING -> {}
        }
    }

    /// Ends a link, or an attempt, so that another has its place.
    private void giveWay(Seat yielding, Seat coming) {
        boolean isOutranked = coming.outranks(yielding);
        queues.change(yielding, s -> s.giveWay(!isOutranked));
        leave(yielding);
    }

    /// Ends links for others that have waited for a place at their machine.
    private void makeWay() {
        machines.findChanges(loop.nanos()).forEach(change -> giveWay(change.from(), change.to()));
    }

    /// An attempt or a link is over.
    private void end(Seat seat) {
        hosts.free(seat);
        var machine = machines.free(seat);
        boolean hasVisited = seat.stage() == Stage.LEAVING && !seat.isPermanent();
        boolean isYielding = seat.isYielding();
        long back = hasVisited ? Deadline.after(loop.nanos(), AWAY) : loop.nanos();
        if (!machines.isWaiting(seat)) { // otherwise it has had none
            queues.change(seat, s -> s.endTurn(++numbers, back));
        }
        if (!seat.isFollowed()) {
            forget(seat);
        } else if (isYielding) {
            stepAside(seat, machine.filter(machines::isCrowded));
        } else {
            queue(seat);
        }
        machine.ifPresent(_ -> machines.findNext().forEach(this::hasten));
        release(seat);
        turn();
    }

    /// Who has waited goes first, and it only if nobody does.
    private void stepAside(Seat seat, Optional<String> crowded) {
        crowded.ifPresent(machine -> machines.await(seat, List.of(machine)));
        seat.record().postpone(loop.nanos(), crowded.isPresent() ? MachinePlaces.PATIENCE : Outcomes.BUSY);
        queue(seat);
    }

    /// A place at its machine is free.
    private void hasten(Seat seat) {
        machines.unwait(seat);
        seat.record().hasten();
        queue(seat);
    }

    /// Gives free places of a host to those who wait for them.
    private void release(Seat ofHost) {
        for (var next = hosts.findNext(ofHost); next.isPresent(); next = hosts.findNext(ofHost)) {
            queue(next.get());
            if (next.get().stage() == Stage.READY) {
                return; // one comes for one that went
            }
        }
    }

    /// Puts a seat without a connection where it belongs.
    private void queue(Seat seat) {
        if (seat.stage() == Stage.HELD) {
            hosts.unhold(seat);
        }
        long left = left(seat);
        long now = loop.nanos();
        queues.change(seat, s -> {
            if (left > 0) {
                s.rest(now + left);
            } else {
                s.ready(++numbers);
            }
        });
    }

    /// Nanoseconds until a relay may be dialled.
    private long left(Seat seat) {
        long naughty = outcomes.naughtyLeft(seat);
        if (seat.isNaughty() && naughty == 0) {
            notes.accept(new HealthNote.NaughtyOver(seat.candidate().url()));
        }
        seat.setNaughty(naughty > 0);
        return LongStream.of(naughty, seat.record().left(loop.nanos()), seat.awayLeft(loop.nanos()))
                .max()
                .getAsLong();
    }

    // ---- whose turn it is

    /// Does everything that can be done now.
    private void turn() {
        if (isTurning || isClosed) {
            isAgain = true;
            return;
        }
        isTurning = true;
        try {
            do {
                isAgain = false;
                roster.settle(loop.nanos(), new Seating());
                rouse();
                makeRoom();
                dial();
            } while (isAgain && !isClosed);
        } finally {
            isTurning = false;
        }
        if (!isClosed) {
            wake.after(next());
        }
    }

    /// Wakes those whose rest is over.
    private void rouse() {
        var resting = queues.resting();
        while (!resting.isEmpty() && resting.first().due() - loop.nanos() <= 0) {
            queue(resting.first());
        }
    }

    private void dial() {
        for (var seat = findUrgent(); seat.isPresent() && guard.isOn(); seat = findUrgent()) {
            start(seat.get());
        }
        if (guard.isOn()) {
            probe();
            return;
        }
        probes.clear();
        for (var seat = findNext(); seat.isPresent() && !guard.isOn(); seat = findNext()) {
            start(seat.get());
        }
    }

    private boolean isBusy() {
        return queues.dialling() >= DIALLING_MAX || pace.left(loop.nanos()) > 0 || queues.inUse() >= config.linksMax();
    }

    /// Who is dialled although we seem to be cut off.
    private Optional<Seat> findUrgent() {
        if (!guard.isOn() || isBusy()) {
            return Optional.empty();
        }
        var able = queues.visiting() >= rotation.places() ? queues.readyToStay().stream() : ready();
        return able.filter(seat -> seat.isUrgent() && left(seat) == 0 && hosts.isFree(seat))
                .findFirst();
    }

    private Optional<Seat> findNext() {
        if (isBusy()) {
            return Optional.empty();
        }
        var next = findFit(queues.readyToStay());
        return next.isPresent() || queues.visiting() >= rotation.places() ? next : findFit(queues.readyToVisit());
    }

    /// The first of a queue who may still be dialled; others are put where they belong.
    private Optional<Seat> findFit(NavigableSet<Seat> ready) {
        while (!ready.isEmpty()) {
            var seat = ready.first();
            if (left(seat) > 0) {
                queue(seat);
            } else if (!hosts.isFree(seat)) {
                hold(seat);
            } else {
                return Optional.of(seat);
            }
        }
        return Optional.empty();
    }

    private void hold(Seat seat) {
        queues.change(seat, Seat::hold);
        hosts.hold(seat);
        hosts.findYielding(seat, loop.nanos()).ifPresent(other -> giveWay(other, seat));
    }

    private void start(Seat seat) {
        pace.tryTake(loop.nanos());
        queues.change(seat, Seat::dial);
        machines.unwait(seat);
        hosts.take(seat);
        dialer.dial(seat.relay());
    }

    /// While we are cut off: one of those who may be dialled.
    private void probe() {
        var able = ready().filter(seat -> left(seat) == 0 && hosts.isFree(seat));
        probes.findNext(loop.nanos(), able, () -> roster.foremost(Probes.FOREMOST))
                .ifPresent(this::start);
    }

    private Stream<Seat> ready() {
        return Stream.concat(queues.readyToStay().stream(), queues.readyToVisit().stream());
    }

    /// Sends visitors away whose turn is over and whose place somebody waits for, and those for whom there is no place.
    private void makeRoom() {
        queues.findLeaving(rotation.places(), loop.nanos()).forEach(this::leave);
    }

    /// Nanoseconds until something changes by itself.
    private OptionalLong next() {
        long now = loop.nanos();
        var moments = LongStream.builder();
        if (!queues.resting().isEmpty()) {
            moments.add(queues.resting().first().due() - now);
        }
        if (!queues.readyToVisit().isEmpty() && !queues.visitors().isEmpty()) {
            moments.add(queues.visitors().first().leaveAt() - now);
        }
        if (ready().findAny().isPresent()) {
            moments.add(pace.left(now));
            moments.add(guard.isOn() ? probes.left(now) : 0);
        }
        roster.left(now).ifPresent(moments::add);
        // what is due now and was not done waits for something else
        return moments.build().filter(left -> left > 0).min();
    }
}
