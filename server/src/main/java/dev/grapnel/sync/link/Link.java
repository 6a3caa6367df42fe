package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.received.Arrivals;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Signer;
import dev.grapnel.sync.world.Transport.Line;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One relay that is followed. It outlives its connections: what was confirmed, and up to when, decides what is asked
/// on the next one (sync 4). Everything else it does is in its parts.
public final class Link {
    /// Why a connection ends that brought too much of what nobody asked for.
    static final String SILENT = "it fell silent";
    public static final String FLOODED = "it sends what nobody asked for";

    private final int relay;
    private final LinkConfig config;
    private final Targets targets;
    private final Arrivals arrivals;
    private final Archive archive;
    private final Scheduler loop;
    private final Commons commons;
    private final LinkHost host;
    private final Bearing bearing;
    private final Patience patience;
    private final Lessons lessons;
    private final Ledger ledger;
    private final Demand demand;
    private final HistoricWork work;
    private final LivePlan plan;
    private final Sweeps sweeps;
    private final Inbox inbox;
    private final AnnouncementWalks walks;
    private final LargeDrops drops = new LargeDrops();
    private final KeepAlive keepAlive;
    private final Coverage coverage;
    private final Authentication authentication;
    private final QuietTime quiet;
    private final Fresh fresh = new Fresh();
    private Optional<Wire> wire = Optional.empty();
    private LinkState state = LinkState.DISCONNECTED;
    private OptionalLong lostAt = OptionalLong.empty();
    private long openedAt;
    private boolean areAnnouncementsConfirmed;
    private boolean isCatchingUp;
    private boolean isFrozen;
    private boolean isStale;
    private boolean isEpochOpen;
    private boolean isDaily;
    private boolean isPaced;
    private boolean hasEndings;
    private OptionalLong completedAt = OptionalLong.empty();
    private long accepted;
    private int generation;
    private long catchUpFrom;
    private long missedSince = Long.MAX_VALUE;

    /// @param learned what is known of the relay from before
    public Link(
            int relay,
            LinkConfig config,
            Targets targets,
            Arrivals arrivals,
            Archive archive,
            Scheduler loop,
            Signer signer,
            Commons commons,
            Supplier<Learned> learned,
            LinkHost host) {
        this.relay = relay;
        this.config = config;
        this.targets = targets;
        this.arrivals = arrivals;
        this.archive = archive;
        this.loop = loop;
        this.commons = commons;
        this.host = host;
        this.bearing = new Bearing(config, learned, loop);
        this.patience = new Patience(loop);
        this.lessons = new Lessons(this, host);
        this.ledger = new Ledger(bearing);
        this.demand = new Demand(relay, targets, commons.prefixes(), root -> plan().askableMembers(root));
        this.coverage = new Coverage(loop);
        this.authentication = new Authentication(targets.relay(relay), signer, loop, this::note);
        this.work = new HistoricWork(this, demand);
        this.plan = new LivePlan(this);
        this.sweeps = new Sweeps(this);
        this.inbox = new Inbox(this);
        this.walks = new AnnouncementWalks(loop);
        this.keepAlive = new KeepAlive(loop, this::hangUp);
        this.quiet = new QuietTime(loop, config.window().plusSeconds(1), this::settle);
    }

    // ---- parts, for each other

    int relay() {
        return relay;
    }

    LinkConfig config() {
        return config;
    }

    Targets targets() {
        return targets;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    Archive archive() {
        return archive;
    }

    Scheduler loop() {
        return loop;
    }

    Commons commons() {
        return commons;
    }

    Bearing bearing() {
        return bearing;
    }

    Patience patience() {
        return patience;
    }

    Lessons lessons() {
        return lessons;
    }

    Ledger ledger() {
        return ledger;
    }

    Demand demand() {
        return demand;
    }

    HistoricWork work() {
        return work;
    }

    LivePlan plan() {
        return plan;
    }

    Sweeps sweeps() {
        return sweeps;
    }

    AnnouncementWalks walks() {
        return walks;
    }

    Authentication authentication() {
        return authentication;
    }

    Coverage coverage() {
        return coverage;
    }

    void note(LinkNote note) {
        host.note(relay, note);
    }

    boolean isCooling() {
        return host.isCooling(relay);
    }

    boolean mayRequest() {
        return host.mayRequest(relay);
    }

    /// Something waits for the pace of requests.
    void wakeForPace() {
        if (!isPaced) {
            isPaced = true;
            loop.after(host.untilRequest(relay), () -> {
                isPaced = false;
                work.pump();
            });
        }
    }

    // ---- connections

    /// What the relay says of itself; if it is connected, everything is planned anew by that.
    public void inform(RelayInformation information) {
        bearing.inform(information, plan::replan);
    }

    /// A connection is up (R4.6): announcements first, then what the gap asks for.
    public void opened(Line line) {
        generation++;
        var opened = new Wire(line, ledger, loop, work::schedulePump);
        wire = Optional.of(opened);
        openedAt = loop.nanos();
        long connectedAt = loop.wall().getEpochSecond();
        inbox.forget();
        coverage.opened();
        isFrozen = false;
        bearing.restComparing(false);
        authentication.open(opened);
        work.open(opened);
        setState(LinkState.SYNCING);
        var strategy = coverage.choose(lostAt, isStale);
        var gap = Duration.ofNanos(lostAt.isPresent() ? openedAt - lostAt.getAsLong() : 0);
        note(new LinkNote.Connected(strategy.word(), gap, generation));
        plan.open(opened);
        fresh.clear();
        switch (strategy) {
            case FRESH, STALE -> beginFresh();
            case QUICK -> beginQuick(connectedAt);
        }
        keepAlive.start(line);
        if (bearing.information().authRequired()) {
            authentication.over(_ -> {});
        }
    }

    private void beginFresh() {
        isStale = false;
        coverage.begin();
        beginEpoch(false);
    }

    private void beginEpoch(boolean daily) {
        isEpochOpen = true;
        isCatchingUp = false; // everything is asked for, what was missed, too
        isDaily = daily;
        areAnnouncementsConfirmed = false;
        accepted = 0;
        coverage.ask();
        work.beginEpoch(daily, walks.since(daily, bearing.compares()));
        sweeps.restart();
        look();
    }

    private void beginQuick(long connectedAt) {
        isCatchingUp = true;
        catchUpFrom = connectedAt;
        missedSince = Long.MAX_VALUE;
        if (!areAnnouncementsConfirmed) {
            demand.wantAnnouncements();
        }
        catchUp(coverage.since(coverage.until().orElseThrow()));
        look();
    }

    /// Asks once more for all that is confirmed, from a moment on.
    void catchUp(long since) {
        missedSince = work.isCatchingUp() ? Math.min(since, missedSince) : since;
        var layers = EnumSet.allOf(Layer.class);
        if (!areAnnouncementsConfirmed) {
            layers.remove(Layer.ANNOUNCEMENTS);
        }
        layers.removeIf(
                layer -> layer != Layer.ANNOUNCEMENTS && plan.streamedBy(layer).isEmpty());
        work.beginCatchUp(
                new CatchUp(new ConfirmedWalk(relay, targets, demand::confirmedMembers, layers), plan, missedSince));
    }

    /// What was missed has come.
    void caughtUp() {
        isCatchingUp = false;
        coverage.set(catchUpFrom);
        look();
    }

    /// The connection is over, whoever ended it.
    public void lost() {
        if (wire.isEmpty()) {
            setState(LinkState.DISCONNECTED);
            return;
        }
        var line = wire.get();
        cover();
        coverage.lost();
        drops.lost(line, this);
        wire = Optional.empty();
        line.end();
        lostAt = OptionalLong.of(loop.nanos());
        quiet.end();
        keepAlive.stop();
        plan.lost();
        sweeps.lost();
        work.lost(areAnnouncementsConfirmed);
        authentication.lost();
        fresh.clear();
        setState(LinkState.DISCONNECTED);
    }

    /// It will not be dialled for now, or is being dialled.
    public void setState(LinkState next) {
        if (state != next) {
            state = next;
            host.changed(relay, next);
        }
    }

    public LinkState state() {
        return state;
    }

    /// Ends the connection; `lost` follows when everything that came was told.
    public void close() {
        wire.ifPresent(line -> line.line().close());
    }

    /// Clocks have been set apart (R4.8): the next connection compares everything.
    public void distrust() {
        isStale = true;
    }

    /// It is followed no more: what it takes of what all links share is free (8.2).
    public void forget() {
        demand.forget();
    }

    void hangUp(String reason) {
        drops.forgive(); // it is we who end it
        host.hangUp(relay, reason);
    }

    // ---- what is wanted changes

    /// More is wanted of a repository at this relay.
    public void grown(int pair) {
        if (wire.isPresent()) {
            fresh.addPair(pair);
        }
    }

    /// Roots of a repository are about to be asked for through it instead of another.
    public void setBack(int pair) {
        demand.setBack(pair);
        grown(pair);
    }

    public void shrunk(int pair) {
        if (wire.isPresent()) {
            plan.shrunk(pair);
        }
        demand.shrunk(pair);
    }

    /// A repository leaves the relay.
    public void ended(int pair) {
        fresh.removePair(pair);
        if (wire.isPresent()) {
            plan.ended(pair);
            hasEndings = true;
        }
        demand.ended(pair);
    }

    public void threadChanged(int root) {
        if (wire.isPresent()) {
            fresh.addThread(root);
        }
    }

    /// Looks at what has changed: streams it, then asks for what is stored of it (R2.2).
    public void diff() {
        if (hasEndings) {
            hasEndings = false;
            work.parking().dropUnwanted();
        }
        fresh.take(this::diff);
    }

    void diff(Collection<Integer> pairs, Collection<Integer> roots) {
        if (wire.isEmpty() || (pairs.isEmpty() && roots.isEmpty())) {
            return;
        }
        if (isCooling()) { // when that is over
            fresh.addAll(pairs, roots);
            return;
        }
        if (plan.extend(pairs, roots)) {
            pairs.forEach(demand::grown);
            roots.forEach(demand::threadChanged);
            work.pump();
        }
    }

    /// A cooldown is over (R4.29).
    public void resume() {
        if (wire.isPresent()) {
            diff();
            plan.resume();
            work.pump();
        }
    }

    /// The relay wants fewer requests: those that were not sent yet are as good as refused (R4.29).
    void refuseUnsent() {
        wire.ifPresent(line -> line.takeUnsent().forEach(refusal -> inbox.heard(new Heard.Said(refusal, 0), line)));
    }

    /// Live filters were packed anew.
    void planned() {
        work.pump();
    }

    /// Asks for events by their ids.
    ///
    /// @param over told what was taken
    public void refetch(List<EventId> ids, Consumer<Set<EventId>> over) {
        if (wire.isPresent()) {
            work.ids().refetch(ids, over);
        } else {
            over.accept(Set.of());
        }
    }

    // ---- what comes

    /// Something came over the connection.
    public void heard(Heard heard) {
        if (wire.isPresent()) {
            inbox.heard(heard, wire.get());
        } else if (heard instanceof Heard.Delivered delivered) {
            delivered.decided().run();
        }
    }

    void junk(String reason) {
        inbox.junk(reason);
    }

    /// An event was taken that was not here before.
    void accepted() {
        accepted++;
    }

    /// Slots that are in use, that of the last CLOSE included.
    int slotsInUse() {
        return wire.map(Wire::openWithLast).orElseGet(ledger::open);
    }

    // ---- where it stands

    /// Live filters deliver, or one of them has been closed.
    void acknowledged() {
        if (wire.isPresent()) {
            plan.closings().catchUp();
            if (plan.isCovering()) {
                isFrozen = false;
            }
            work.pump();
        }
    }

    /// Something that should be streamed is not: coverage stands still.
    void freeze() {
        cover();
        isFrozen = true;
    }

    /// Moves coverage to where it may be now. Called before anything that keeps it from moving (R4.7).
    void cover() {
        if (isAdvancing()) {
            coverage.advance(wire.orElseThrow().line().heardAt());
        }
    }

    private boolean isAdvancing() {
        return wire.isPresent() && !isCatchingUp && !isFrozen && plan.isCovering() && !work.isCatchingUp();
    }

    void confirmedAnnouncements() {
        if (!areAnnouncementsConfirmed) {
            areAnnouncementsConfirmed = true;
            note(new LinkNote.AnnouncementsComplete(accepted));
        }
    }

    /// Whether the full sync of this epoch is done, so that what comes is news.
    boolean isComplete() {
        return state == LinkState.CONNECTED || state == LinkState.WITH_FAILURES;
    }

    /// Whether what is wanted now came up after everything else was fetched (R5.1).
    boolean isIncremental() {
        return !isEpochOpen;
    }

    /// Looks whether the state is still the right one (R4.1).
    void look() {
        if (wire.isEmpty() || state == LinkState.DISCONNECTING) {
            return;
        }
        if (plan.closings().isRefusedAll() && work.isRefusedAll() && !work.isAnswered()) {
            host.park(relay, work.untilAskedAgain());
            return;
        }
        if (isComplete()) {
            settled();
            return;
        }
        quiet.look(work.isIdle() && !plan.isWaiting() && fresh.isEmpty()); // that may wait for the end of a cooldown
    }

    private boolean hasFailures() {
        return work.hasFailures() || plan.closings().isRefusedAny();
    }

    private void settle() {
        if (isEpochOpen) {
            isEpochOpen = false;
            completedAt = OptionalLong.of(loop.nanos());
        }
        note(LinkNote.Complete.of(relay, targets, hasFailures(), isDaily));
        isDaily = false;
        settled();
    }

    private void settled() {
        if (!work.hasFailures()) {
            coverage.confirm();
        }
        setState(hasFailures() ? LinkState.WITH_FAILURES : LinkState.CONNECTED);
    }

    // ---- daily

    /// When the last full sync was complete.
    public OptionalLong completedAt() {
        return completedAt;
    }

    /// Compares everything once more (R4.12). Live filters stay open.
    ///
    /// @return whether it begins; not while the last one goes on
    public boolean beginDaily() {
        if (!isComplete()) {
            note(new LinkNote.Daily(true));
            return false;
        }
        note(new LinkNote.Daily(false));
        setState(LinkState.SYNCING);
        beginEpoch(true);
        return true;
    }

    public boolean isUp() {
        return wire.isPresent();
    }

    /// Whether something is asked and not answered. What waits, for a place, a cooldown or because it failed, is no
    /// reason to keep a relay: announcements alone are none either (R2.7).
    public boolean isBusy() {
        return ledger.isAsking();
    }

    /// Whether it was told that this service is not welcome (R4.23).
    public boolean isUnwelcome() {
        return authentication.isRestricted();
    }

    public int generation() {
        return generation;
    }

    /// How it is doing, for people and metrics.
    public LinkPicture picture() {
        return LinkPicture.of(this);
    }

    long openedAt() {
        return openedAt;
    }

    /// Repositories of which more is wanted than was looked at.
    int dirtyPairs() {
        return fresh.pairCount() + demand.unseenPairs();
    }
}
