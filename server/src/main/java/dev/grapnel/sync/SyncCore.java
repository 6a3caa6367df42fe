package dev.grapnel.sync;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.DialOrder;
import dev.grapnel.sync.health.HealthBook;
import dev.grapnel.sync.health.HealthNote;
import dev.grapnel.sync.health.HealthSnapshots;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.RelayDialer;
import dev.grapnel.sync.health.RelayRecord;
import dev.grapnel.sync.health.RequestRate;
import dev.grapnel.sync.health.Standing;
import dev.grapnel.sync.index.SelfFeed;
import dev.grapnel.sync.index.WantedIndex;
import dev.grapnel.sync.link.Commons;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkHost;
import dev.grapnel.sync.link.LinkNote;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.received.Intake;
import dev.grapnel.sync.received.IntakeParts;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import dev.grapnel.sync.world.Transport.Line;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The one that follows relays (sync R1.1): what is wanted decides which relays there are, health decides when each is
/// dialled, links decide what is asked. This class only joins them.
public final class SyncCore {
    private static final Duration PRIVATE_TIME = Duration.ofHours(24);
    private static final Duration RESYNC_WITHIN = Duration.ofHours(1);

    private final SyncConfig config;
    private final SyncParts parts;
    private final Consumer<SyncNote> notes;
    private final WantedIndex index;
    private final WantedChanges changes;
    private final SelfFeed feed;
    private final Intake intake;
    private final HealthBook book;
    private final DialOrder order;
    private final HealthSnapshots snapshots;
    private final Commons commons;
    private final DailyTurns daily;
    private final ClockWatch clock;
    private final Documents documents;
    private final RelayTroubles troubles;
    private final Map<Integer, RelayEntry> entries = new LinkedHashMap<>();
    private Runnable check = () -> {};
    private boolean isStopped;

    public SyncCore(SyncConfig config, SyncParts parts, Consumer<SyncNote> notes) {
        this.config = config;
        this.parts = parts;
        this.notes = notes;
        this.troubles = new RelayTroubles(parts.loop()::wall);
        this.index = new WantedIndex(parts.limits(), parts.tables(), parts.archive(), parts.chance());
        this.commons = new Commons(
                parts.loop(),
                parts.limits().prefixesMax(),
                () -> index.figures().bytes());
        this.intake = new Intake(
                config.intake(),
                new IntakeParts(
                        parts.loop(),
                        parts.gate(),
                        parts.archive(),
                        parts.purgatory(),
                        parts.files(),
                        new FollowedRelays(index, this::isBootstrap),
                        new Refetching(parts.loop(), this::find),
                        parts.counts(),
                        parts.intakeNotes()),
                parts.chance());
        this.book = new HealthBook(config.health());
        this.order = new DialOrder(
                config.health(),
                book,
                parts.naughty(),
                parts.loop(),
                new Dialling(),
                note -> tell(new SyncNote.Health(note)));
        this.snapshots =
                new HealthSnapshots(book, order, parts.loop(), parts.files(), note -> tell(new SyncNote.Health(note)));
        this.daily = new DailyTurns(parts.loop(), parts.chance(), config.link());
        this.documents = new Documents(parts.information(), parts.loop());
        this.clock = new ClockWatch(parts.loop(), this::distrust);
        this.changes = new WantedChanges(index, this::find, intake, parts.loop(), this::lookAt, this::tell);
        this.feed = new SelfFeed(
                parts.loop(), parts.archive(), parts.purgatory(), index, config.feed(), changes, parts.files());
    }

    private void tell(SyncNote note) {
        troubles.accept(note);
        notes.accept(note);
    }

    private boolean isBootstrap(int relay) {
        return find(relay).map(RelayEntry::isBootstrap).orElse(false);
    }

    private Optional<RelayEntry> find(int relay) {
        return Optional.ofNullable(entries.get(relay));
    }

    // ---- life

    /// Begins; on the loop. Relays that the operator named are dialled at once (R1.19).
    public void start() {
        snapshots.start();
        feed.start(); // first: what is committed from now on is told
        intake.start();
        config.bootstrap().ifPresent(url -> {
            if (parts.isOwn(url)) {
                tell(new SyncNote.BootstrapIsOwn(url));
            } else {
                want(index.internRelay(url));
            }
        });
        config.privatePeers().stream().filter(url -> !parts.isOwn(url)).forEach(url -> want(index.internRelay(url)));
        clock.start();
        armCheck();
    }

    /// Ends; on the loop. Connections are closed, and what is worth keeping is written (R4.36).
    ///
    /// @param done run when that is over
    public void stop(Runnable done) {
        isStopped = true;
        feed.stop();
        clock.stop();
        check.run();
        order.close();
        entries.values().forEach(this::leave);
        snapshots.close(_ -> intake.close(done));
    }

    private void armCheck() {
        check = parts.loop().after(config.checkEvery(), this::check);
    }

    /// The safety net (R4.31), and the removal of relays that nobody names (R4.33).
    private void check() {
        armCheck(); // first: whatever fails below must not be the last check
        order.check();
        for (var entry : List.copyOf(entries.values())) {
            boolean isEmpty = !entry.isBootstrap() && !entry.isConfigured() && index.pairCount(entry.relay()) == 0;
            if (entry.isToGo(isEmpty)) {
                remove(entry);
            }
        }
        index.forgetRelays(this::isInUse);
    }

    // ---- which relays there are

    private boolean isConfigured(RemoteUrl url) {
        return config.bootstrap().equals(Optional.of(url))
                || config.privatePeers().contains(url);
    }

    /// Whoever finds a place is told to be followed; others cost no more than their name (R1.16).
    private void want(int relay) {
        var url = index.relay(relay);
        order.want(relay, url, standing(relay, url), index.owners(relay));
    }

    private void register(int relay) {
        var url = index.relay(relay);
        var link = new Link(
                relay,
                config.link(),
                index,
                intake,
                parts.archive(),
                parts.loop(),
                parts.signer(),
                commons,
                () -> learned(relay),
                new Hosting(url));
        boolean isBootstrap = config.bootstrap().equals(Optional.of(url));
        entries.put(relay, new RelayEntry(relay, url, link, isBootstrap, isConfigured(url)));
        tell(new SyncNote.Registered(url));
    }

    /// What is known of a relay; nothing is remembered of one that is not followed yet.
    private Learned learned(int relay) {
        return order.findRecord(relay).map(RelayRecord::learned).orElseGet(Learned::new);
    }

    private Standing standing(int relay, RemoteUrl url) {
        int full = index.fullCount(relay);
        boolean isBootstrap = config.bootstrap().equals(Optional.of(url));
        return new Standing(isBootstrap, isConfigured(url), full, full == 0);
    }

    private void remove(RelayEntry entry) {
        entry.link().setState(entry.link().isUp() ? LinkState.DISCONNECTING : LinkState.DISCONNECTED);
        order.unwant(entry.relay());
    }

    private void forget(RelayEntry entry) {
        entry.takeDial().ifPresent(Transport.Dial::cancel);
        daily.changed(entry, LinkState.DISCONNECTED);
        entries.remove(entry.relay());
        entry.link().forget();
        boolean isWaiting = order.findWait(entry.relay()).isPresent();
        tell(new SyncNote.Removed(entry.url(), isWaiting));
        look(entry.relay()); // it may be wanted again meanwhile (R4.34)
    }

    private boolean isWanted(int relay) {
        return index.pairCount(relay) > 0 || isConfigured(index.relay(relay));
    }

    /// Whether the name of a relay is needed, though perhaps no repository names it.
    private boolean isInUse(int relay) {
        return entries.containsKey(relay) || order.isKnown(relay) || isConfigured(index.relay(relay));
    }

    private void lookAt(List<Integer> relays) {
        relays.forEach(this::look);
        index.forgetRelays(this::isInUse);
    }

    /// What is wanted of a relay has changed.
    private void look(int relay) {
        var entry = find(relay);
        boolean isEnding = entry.map(RelayEntry::isEnding).orElse(false);
        if (isStopped || isEnding || !index.isKnown(relay)) {
            return;
        }
        if (isWanted(relay)) {
            want(relay);
        } else if (entry.isEmpty()) {
            order.unwant(relay); // who only waits for a place does so no longer
        }
        find(relay).ifPresent(followed -> followed.link().diff());
    }

    // ---- connections

    /// Carries out what the order of dialling says.
    private final class Dialling implements RelayDialer {
        @Override
        public void followed(int relay) {
            register(relay);
        }

        @Override
        public void dropped(int relay) {
            find(relay).ifPresent(SyncCore.this::forget);
        }

        @Override
        public void dial(int relay) {
            find(relay).ifPresent(SyncCore.this::begin);
        }

        @Override
        public void leave(int relay) {
            find(relay).ifPresent(SyncCore.this::leave);
        }
    }

    private void begin(RelayEntry entry) {
        int attempt = entry.beginAttempt();
        entry.link().setState(LinkState.CONNECTING);
        entry.pace(() -> new RequestRate(
                learned(entry.relay()),
                config.requestRate(),
                parts.loop().nanos(),
                parts.loop().wall()));
        documents.askBefore(entry, () -> {
            if (entry.isCurrent(attempt) && !entry.isLeaving()) {
                dial(entry, attempt);
            }
        });
    }

    private void dial(RelayEntry entry, int attempt) {
        if (isStopped) {
            return;
        }
        boolean isPeer = config.isPrivate() || config.privatePeers().contains(entry.url());
        if (entry.information().isPrivate() && !isPeer) {
            entry.link().setState(LinkState.DISCONNECTED);
            park(entry, PRIVATE_TIME, "it is a private service");
            return;
        }
        entry.setDial(parts.transport()
                .dial(entry.url(), entry.isConfigured(), config.connectTime(), new Listening(entry, attempt)));
    }

    private void park(RelayEntry entry, Duration time, String reason) {
        entry.setReason(reason);
        tell(new SyncNote.Parked(entry.url(), reason));
        order.parked(entry.relay(), time);
    }

    private void leave(RelayEntry entry) {
        entry.setLeaving();
        if (entry.line().isPresent()) {
            entry.line().get().close();
        } else {
            entry.takeDial().ifPresent(Transport.Dial::cancel);
            entry.link().setState(LinkState.DISCONNECTED);
        }
    }

    /// Hears of one attempt and its connection.
    private final class Listening implements Transport.Listener {
        private final RelayEntry entry;
        private final int attempt;

        private Listening(RelayEntry entry, int attempt) {
            this.entry = entry;
            this.attempt = attempt;
        }

        private boolean isCurrent() {
            return entry.isCurrent(attempt) && entries.get(entry.relay()) == entry;
        }

        @Override
        public void opened(Line line) {
            if (!isCurrent() || isStopped || entry.isLeaving()) {
                line.close();
                return;
            }
            entry.setLine(line);
            tell(new SyncNote.Attempted(entry.url(), true));
            entry.link().inform(entry.information());
            order.opened(entry.relay(), line.machine());
            entry.link().opened(line);
        }

        @Override
        public void refused(int status, Optional<Duration> retryAfter) {
            if (isCurrent()) {
                entry.takeDial();
                entry.link().setState(LinkState.DISCONNECTED);
                tell(new SyncNote.Attempted(entry.url(), false));
                tell(new SyncNote.Declined(entry.url(), status));
                boolean wasCooling = coolingFor(entry.relay()).isPositive();
                order.refused(entry.relay(), status, retryAfter);
                var rest = coolingFor(entry.relay());
                if (!wasCooling && rest.isPositive()) {
                    rest(entry, rest); // R4.28: the same as if it had been said
                }
            }
        }

        @Override
        public void failed(Failure failure) {
            if (isCurrent()) {
                entry.takeDial();
                entry.link().setState(LinkState.DISCONNECTED);
                tell(new SyncNote.Attempted(entry.url(), false));
                tell(new SyncNote.Unreachable(entry.url(), failure));
                order.failed(entry.relay(), failure);
            }
        }

        @Override
        public void heard(Heard heard) {
            if (isCurrent()) {
                entry.link().heard(heard);
            } else if (heard instanceof Heard.Delivered delivered) {
                delivered.decided().run();
            }
        }

        @Override
        public void lost(Failure failure) {
            if (!isCurrent() || entry.line().isEmpty()) {
                return;
            }
            var before = entry.link().state();
            boolean isByRelay = !entry.isLeaving() && entry.reason().isEmpty();
            boolean isUnwelcome = isByRelay && entry.link().isUnwelcome();
            entry.clearLine();
            entry.link().lost();
            boolean isPlanned = entry.isLeaving() || isUnwelcome;
            tell(new SyncNote.Disconnected(
                    entry.url(), entry.link().generation(), before, failure, entry.reason(), isPlanned));
            if (isUnwelcome) {
                park(entry, PRIVATE_TIME, "it does not accept our key");
            }
            order.lost(entry.relay(), failure, isPlanned);
        }
    }

    /// What links ask.
    private final class Hosting implements LinkHost {
        private final RemoteUrl url;

        private Hosting(RemoteUrl url) {
            this.url = url;
        }

        @Override
        public boolean isCooling(int relay) {
            return coolingFor(relay).isPositive();
        }

        @Override
        public void slowDown(int relay) {
            find(relay).ifPresent(SyncCore.this::slowDown);
        }

        @Override
        public boolean mayRequest(int relay) {
            return find(relay)
                    .flatMap(RelayEntry::rate)
                    .map(rate -> rate.tryTake(parts.loop().nanos()))
                    .orElse(false);
        }

        @Override
        public Duration untilRequest(int relay) {
            return find(relay)
                    .flatMap(RelayEntry::rate)
                    .map(rate -> rate.untilNext(parts.loop().nanos()))
                    .orElse(Duration.ofSeconds(1));
        }

        @Override
        public void changed(int relay, LinkState state) {
            find(relay).ifPresent(entry -> {
                if (state == LinkState.CONNECTED || state == LinkState.WITH_FAILURES) {
                    order.synced(relay);
                }
                daily.changed(entry, state);
            });
        }

        @Override
        public void hangUp(int relay, String reason) {
            find(relay).ifPresent(entry -> {
                entry.setReason(reason);
                entry.line().ifPresent(Line::close);
            });
        }

        @Override
        public void park(int relay, Duration time) {
            find(relay).filter(entry -> !entry.isLeaving()).ifPresent(entry -> {
                entry.setLeaving();
                SyncCore.this.park(entry, time, "it refuses everything that is asked");
                entry.line().ifPresent(Line::close);
            });
        }

        @Override
        public void askAgain(int relay) {
            find(relay).ifPresent(documents::askAgain);
        }

        @Override
        public void note(int relay, LinkNote note) {
            tell(new SyncNote.AtRelay(url, note)); // also when the relay is followed no more
            if (note instanceof LinkNote.AnnouncementsComplete(var accepted)) {
                find(relay)
                        .filter(entry -> entry.isBootstrap() && entry.bootstrapped())
                        .ifPresent(entry -> tell(new SyncNote.Bootstrapped(entry.url(), accepted)));
            }
        }
    }

    private void slowDown(RelayEntry entry) {
        long now = parts.loop().nanos();
        order.findRecord(entry.relay()).ifPresent(record -> {
            if (record.coolDown(now, Duration.ZERO)) {
                var rest = record.coolingFor(now);
                tell(new SyncNote.Health(new HealthNote.CoolingDown(entry.url(), rest)));
                rest(entry, rest);
            }
        });
    }

    /// Half as much is asked after a while of rest (R4.29).
    private void rest(RelayEntry entry, Duration rest) {
        entry.rate()
                .ifPresent(rate ->
                        rate.refused(parts.loop().nanos(), rest, parts.loop().wall()));
        parts.loop().after(rest.plusMillis(1), () -> {
            boolean isOver = !coolingFor(entry.relay()).isPositive(); // else the next one has begun
            if (isOver && find(entry.relay()).equals(Optional.of(entry))) {
                tell(new SyncNote.Resumed(entry.url()));
                entry.link().resume();
            }
        });
    }

    private Duration coolingFor(int relay) {
        return order.findRecord(relay)
                .map(record -> record.coolingFor(parts.loop().nanos()))
                .orElse(Duration.ZERO);
    }

    /// The clock of dates was set: what was covered until when is doubtful.
    private void distrust(long seconds) {
        tell(new SyncNote.ClockSet(seconds));
        entries.values().forEach(entry -> {
            entry.link().distrust();
            if (entry.link().isUp()) {
                daily.soon(entry, RESYNC_WITHIN);
            }
        });
    }

    // ---- for purgatory, people and checks

    /// Asks a relay for events that purgatory wants to see again (R7.22a).
    ///
    /// @param ids a hundred at most
    /// @param over told on the loop what was taken; nothing if there is no link to the relay
    public void revive(RemoteUrl relay, List<EventId> ids, Consumer<Set<EventId>> over) {
        var known = index.findRelay(relay);
        var entry = known.isEmpty() ? Optional.<RelayEntry>empty() : find(known.getAsInt());
        if (isStopped || entry.isEmpty()) {
            over.accept(Set.of());
        } else {
            entry.get().link().refetch(ids, over);
        }
    }

    /// Compares relays in full, soon. One that is named is called, too, if it is not connected.
    ///
    /// @return how many are connected and meant
    public int compareNow(Optional<RemoteUrl> one) {
        var meant = entries.values().stream()
                .filter(entry -> one.isEmpty() || one.get().equals(entry.url()))
                .toList();
        var up = meant.stream().filter(entry -> entry.link().isUp()).toList();
        up.forEach(entry -> daily.soon(entry, Duration.ofMillis(1)));
        one.ifPresent(_ -> meant.forEach(entry -> {
            entry.forgetInformation(); // its operator may have changed what it says of itself
            order.hurry(entry.relay());
        }));
        order.check();
        return up.size();
    }

    /// How everything is doing.
    public SyncPicture picture() {
        var portraits = new RelayPortraits(parts.loop(), index, order, troubles);
        var relays = entries.values().stream().map(portraits::of).toList();
        return new SyncPicture(
                parts.loop().wall(),
                changes.isReady(),
                index.figures(),
                intake.figures(),
                order.figures(),
                order.isCutOff(),
                commons.vectorBytes(),
                commons.prefixCount(),
                relays);
    }

    /// What is wanted; for checks.
    public WantedIndex index() {
        return index;
    }

    /// What became of events; for checks.
    public Intake intake() {
        return intake;
    }

    /// The link of a relay that is followed; for checks.
    public Optional<Link> findLink(RemoteUrl relay) {
        var known = index.findRelay(relay);
        return known.isEmpty() ? Optional.empty() : find(known.getAsInt()).map(RelayEntry::link);
    }

    /// The links; for checks.
    public Collection<Link> links() {
        return entries.values().stream().map(RelayEntry::link).toList();
    }
}
