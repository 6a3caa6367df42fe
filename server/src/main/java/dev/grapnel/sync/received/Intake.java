package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.References;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Decides what happens to events that relays sent (sync 7). What is known by its id is told at once; everything else
/// passes the gate, once for all relays that bring it meanwhile, and what the gate says is remembered as far as sync
/// needs it. Belongs to the loop.
public final class Intake implements Arrivals {
    private static final Duration TIDY_EVERY = Duration.ofMinutes(1);
    private static final Duration EXPIRE_EVERY = Duration.ofDays(1);
    private static final int EXPIRE_LOOKS = 10_000;

    private final IntakeParts parts;
    private final Scheduler loop;
    private final KeyHash hashes;
    private final SeenIds seen;
    private final Refusals refusals;
    private final RecentKeys recent = new RecentKeys();
    private final PastAttempts attempts = new PastAttempts();
    private final Meters meters;
    private final Entrance entrance;
    private final Awakening awakening;
    private final Appearing appearing;
    private final MembershipWatch memberships;
    private final RefusedFiles files;
    private final ServedTwice served = new ServedTwice();
    private final Map<EventId, Passage> passages = new HashMap<>();
    private final List<Runnable> endings = new ArrayList<>();
    /// The last commit whose events have woken what waited for them.
    private long covered;

    /// The same for what an earlier process left, as long as that is being made up for.
    private long coveredBefore = Long.MAX_VALUE;

    private boolean isClosed;

    /// @param random seeds hashes, no more
    public Intake(IntakeConfig config, IntakeParts parts, RandomGenerator random) {
        this.parts = parts;
        this.loop = parts.loop();
        this.hashes = new KeyHash(random.nextLong());
        this.seen = new SeenIds(config.seenMax(), hashes);
        this.refusals = new Refusals(config, loop, hashes, parts.counts());
        this.meters = new Meters(parts, config.newPerHour());
        this.entrance = new Entrance(
                parts.gate(),
                meters,
                recent,
                config.gateMax(),
                this::apply,
                passage -> finish(passage, Outcome.OVER_QUOTA));
        this.awakening = new Awakening(
                loop, refusals, parts.relays(), parts.refetches(), attempts, parts.notes(), this::readmit);
        this.appearing = new Appearing(loop, this::appear, this::mention, awakening::run);
        this.memberships = new MembershipWatch(loop, parts.purgatory(), refusals, awakening);
        this.files = new RefusedFiles(
                parts.files(),
                refusals,
                hashes,
                config.fingerprint(),
                parts.notes(),
                () -> Math.min(covered, coveredBefore));
    }

    // ---- beginning and end

    /// Reads what an earlier process left, and begins to keep time. On the loop, before anything is received and after
    /// the following of the archive has begun; takes as long as the disk does.
    public void start() {
        covered = parts.archive().commitNumber();
        var known = files.restore();
        endings.add(parts.purgatory().watch(identifiers -> identifiers.forEach(this::changeAnnouncements)));
        known.ifPresent(this::catchUp);
        repeat(TIDY_EVERY, this::tidy);
        repeat(EXPIRE_EVERY, this::expire);
    }

    /// Stops, and writes down what is worth it.
    ///
    /// @param written run on the loop when that is done, or cannot be
    public void close(Runnable written) {
        isClosed = true;
        appearing.stop();
        awakening.stop();
        endings.forEach(Runnable::run);
        endings.clear();
        files.save(written);
    }

    private void repeat(Duration every, Runnable work) {
        loop.after(every, () -> {
            if (!isClosed) {
                repeat(every, work); // first: whatever fails below must not be the last time
                work.run();
            }
        });
    }

    private void tidy() {
        refusals.expireHot();
        meters.tidy();
        awakening.wakeDue();
        files.save(() -> {});
    }

    private void expire() {
        if (!isClosed && !refusals.expireCold(EXPIRE_LOOKS)) {
            loop.post(this::expire);
        }
    }

    // ---- events

    @Override
    public void receive(Event event, int relay, Path path, Consumer<Outcome> outcome) {
        take(new Delivery(event, relay, parts.relays().url(relay), path, attempts.take(event.id()), outcome));
    }

    /// Steps 3 to 5 of sync 7.1: by the id alone.
    private void take(Delivery delivery) {
        var underWay = passages.get(delivery.id());
        if (isClosed || underWay == null) {
            take(new Copies(delivery));
        } else {
            underWay.join(delivery);
            entrance.join(underWay, delivery.relay());
        }
    }

    private void take(Copies copies) {
        var delivery = copies.first();
        if (isClosed) {
            tell(copies.takeAll(), Outcome.FAILED);
        } else if (delivery.event().kindClass() == KindClass.EPHEMERAL) {
            tell(copies.takeAll(), Outcome.IGNORED);
        } else {
            switch (parts.archive().standing(delivery.id())) {
                case SERVED, DELETED, GATED -> tell(copies.takeAll(), Outcome.KNOWN);
                case HELD, EXPIRED -> begin(new Passage(copies)); // the gate knows whether that changes a thing
                case UNKNOWN -> takeUnknown(copies);
            }
        }
    }

    private void takeUnknown(Copies copies) {
        var delivery = copies.first();
        var refusal = refusals.find(delivery.id());
        if (seen.find(delivery.id()) != Knowledge.UNKNOWN) {
            tell(copies.takeAll(), Outcome.KNOWN);
        } else if (refusal.isPresent()) {
            tell(copies.takeAll(), refusal.get() == Reason.SUPERSEDED ? Outcome.KNOWN : Outcome.REFUSED);
        } else {
            var passage = new Passage(copies);
            passage.claim(Claims.of(delivery.event(), hashes));
            begin(passage);
        }
    }

    private void begin(Passage passage) {
        passages.put(passage.id(), passage);
        entrance.enter(passage);
    }

    private void apply(Passage passage, Ruling ruling) {
        var outcome = Outcome.FAILED;
        try {
            outcome = outcome(passage, ruling);
        } finally { // if something of ours fails it must be asked for again, and nobody waits for it
            finish(passage, outcome);
        }
        awakening.run();
        if (entrance.isQuiet()) {
            recent.clear();
        }
    }

    /// The outcome table of sync 7.1.
    private Outcome outcome(Passage passage, Ruling ruling) {
        var delivery = passage.first();
        return switch (ruling) {
            case Ruling.Stored _ -> {
                store(passage);
                yield Outcome.STORED;
            }
            case Ruling.Duplicate _ -> Outcome.KNOWN;
            case Ruling.Deleted _ -> {
                seen.addDeleted(delivery.id());
                yield Outcome.KNOWN;
            }
            case Ruling.Superseded _ -> {
                seen.addSuperseded(delivery.id());
                refusals.keepFinal(delivery, Reason.SUPERSEDED);
                yield Outcome.KNOWN;
            }
            case Ruling.SupersededByHeld _ -> {
                refuse(passage, Reason.SUPERSEDED, waitingFor(passage.event()));
                yield Outcome.REFUSED;
            }
            case Ruling.Held _, Ruling.Gated _ -> Outcome.HELD;
            case Ruling.KnownHeld _, Ruling.Expired _ -> Outcome.KNOWN_HELD;
            case Ruling.Refused(var reason, var isFinal, var prefix) -> {
                if (isFinal) {
                    refusals.keepFinal(delivery, reason);
                } else {
                    refuse(passage, reason, Dependency.of(passage.event()));
                }
                yield Outcome.refused(prefix);
            }
            case Ruling.Ahead(var until) -> {
                refusals.keepAhead(delivery, until);
                yield Outcome.REFUSED_INVALID; // what a client is told (service 4.1.6)
            }
            case Ruling.Forged _ -> Outcome.FORGED;
            case Ruling.Failed _ -> Outcome.FAILED;
        };
    }

    private static List<Dependency> waitingFor(Event outdated) {
        return Dependency.ofOutdated(outdated).<List<Dependency>>map(List::of).orElse(List.of());
    }

    private void store(Passage passage) {
        parts.counts().stored(passage.first().path());
        var event = passage.event();
        if (!passage.isServed() && !References.areTooMany(event)) { // else the archive tells, and waits meanwhile
            served.note(passage.id());
            serve(event.id(), event.findAddress().map(Object::toString));
            References.of(event).forEach(tag -> mention(tag.element(1)));
        }
    }

    private void refuse(Passage passage, Reason reason, List<Dependency> dependencies) {
        refusals.keepWaiting(passage.first(), reason, dependencies);
        dependencies.forEach(dependency -> lookAgain(passage, dependency));
        if (reason == Reason.ORPHAN && recent.isAfter(passage.begunAt(), hashes.of(passage.id()))) {
            awakening.wake(passage.event());
        }
    }

    /// What came after the event had been given to the gate may not have been seen there.
    private void lookAgain(Passage passage, Dependency dependency) {
        switch (dependency) {
            case Dependency.Maintainer(var _, var identifier) -> lookAgain(passage, identifier);
            case Dependency.Authority(var _, var identifier) -> lookAgain(passage, identifier);
            case Dependency.Unheld(var repository) ->
                lookAgain(passage, repository.identifier().text());
            case Dependency.AddressServed _, Dependency.EventServed _, Dependency.AddressMentioned _ -> {
                if (recent.isAfter(passage.begunAt(), hashes.of(dependency))) {
                    awakening.wake(passage.event());
                }
            }
        }
    }

    private void lookAgain(Passage passage, String identifier) {
        if (recent.isAfter(passage.begunAt(), hashes.of(identifier))) {
            memberships.look(identifier);
        }
    }

    /// Tells everybody. A forged copy says nothing of other copies, and one relay's quota nothing of other relays:
    /// what that is about is judged apart.
    private void finish(Passage passage, Outcome outcome) {
        var copies = passage.copies();
        passages.remove(passage.id());
        var told = switch (outcome) {
            case FORGED -> copies.takeSame();
            case OVER_QUOTA -> copies.takeOf(passage.relay());
            case STORED,
                    KNOWN,
                    HELD,
                    KNOWN_HELD,
                    REFUSED,
                    REFUSED_INVALID,
                    REFUSED_BLOCKED,
                    REFUSED_RESTRICTED,
                    REFUSED_POW,
                    IGNORED,
                    FAILED -> copies.takeAll();
        };
        try {
            tell(told.subList(0, 1), outcome);
        } finally { // one relay's link must not keep the others waiting
            finishOthers(told.subList(1, told.size()), Passage.outcomeOfOthers(outcome), copies);
        }
    }

    private void finishOthers(List<Delivery> others, Outcome outcome, Copies rest) {
        try {
            tell(others, outcome);
        } finally {
            if (!rest.isEmpty()) {
                takeRest(rest);
            }
        }
    }

    /// Somebody who heard of an outcome may have brought it again meanwhile.
    private void takeRest(Copies rest) {
        if (passages.containsKey(rest.first().id())) {
            rest.takeAll().forEach(this::take);
        } else {
            take(rest);
        }
    }

    private static void tell(List<Delivery> deliveries, Outcome outcome) {
        tell(deliveries.iterator(), outcome);
    }

    private static void tell(Iterator<Delivery> deliveries, Outcome outcome) {
        boolean isDone = false;
        try {
            while (deliveries.hasNext()) {
                deliveries.next().outcome().accept(outcome);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                tell(deliveries, outcome); // whoever comes behind the one that cannot bear it
            }
        }
    }

    // ---- what has come

    /// Events became visible, whoever brought them (R7.21). Perhaps over several turns.
    ///
    /// @param upTo the last commit that is covered
    /// @param taken run when all of them were looked at
    public void appeared(List<Archive.Appearance> appearances, long upTo, Runnable taken) {
        appearing.add(appearances, () -> {
            covered = Math.max(covered, upTo);
            taken.run();
        });
    }

    /// @return whether what it mentions is news
    private boolean appear(Archive.Appearance appearance) {
        refusals.forget(appearance.id());
        var passage = passages.get(appearance.id());
        if (passage != null) {
            passage.markServed();
        }
        boolean isNews = !served.take(appearance.id());
        if (isNews) {
            serve(appearance.id(), appearance.address());
        }
        return isNews;
    }

    /// It is not known what became visible: the archive could not be followed (R1.11). Whatever waits is judged again
    /// or fetched by the next sync.
    public void missed() {
        if (!isClosed) {
            awakening.wakeAll();
        }
    }

    private void serve(EventId id, Optional<String> address) {
        satisfy(new Dependency.EventServed(id));
        address.flatMap(Dependency::findAddress).ifPresent(text -> satisfy(new Dependency.AddressServed(text)));
    }

    /// @return what it has cost, if that is much
    private int mention(String value) {
        var id = EventId.parse(value).find();
        if (id.isPresent()) {
            note(hashes.of(id.get()));
            return awakening.mention(id.get());
        }
        Dependency.findAddress(value).ifPresent(text -> satisfy(new Dependency.AddressMentioned(text)));
        return 0;
    }

    private void satisfy(Dependency dependency) {
        long key = hashes.of(dependency);
        note(key);
        awakening.satisfy(key);
    }

    private void changeAnnouncements(String identifier) {
        note(hashes.of(identifier));
        memberships.look(identifier);
    }

    private void note(long key) {
        if (!entrance.isQuiet()) {
            recent.note(key);
        }
    }

    /// Judges an event again that was refused (R7.22). What fails is fetched another time.
    private void readmit(Woken.Whole event) {
        take(new Delivery(event.event(), event.relay(), event.url(), Path.REPROCESS, event.attempts(), outcome -> {
            if (outcome == Outcome.FAILED || outcome == Outcome.OVER_QUOTA) {
                attempts.note(event.event().id(), event.attempts());
                parts.refetches().refetch(event.relay(), event.event().id());
            }
        }));
    }

    // ---- what happened while nobody looked

    /// Between what was written down and the beginning of this process something may have come that events wait for.
    private void catchUp(long since) {
        parts.purgatory()
                .announcements()
                .forEach(waiting ->
                        memberships.look(waiting.repository().identifier().text()));
        refusals.heldBackIdentifiers().forEach(memberships::look);
        long target = covered;
        if (since > target) {
            missed(); // it is another store
        } else if (since < target) {
            coveredBefore = since;
            follow(since, target);
        }
    }

    private void follow(long since, long target) {
        var end = new Ending();
        end.set(parts.archive().follow(since, new Archive.Follower() {
            @Override
            public void changed(
                    List<Mutation> mutations, List<Archive.Appearance> appearances, long upTo, Runnable taken) {
                lookAt(mutations);
                appeared(appearances, upTo, () -> {
                    coveredBefore = upTo;
                    if (upTo >= target) {
                        coveredBefore = Long.MAX_VALUE;
                        end.run();
                    } else {
                        taken.run();
                    }
                });
            }

            @Override
            public void lost(long commitNumber) {
                coveredBefore = Long.MAX_VALUE;
                missed();
            }
        }));
        endings.add(end::run);
    }

    private void lookAt(List<Mutation> mutations) {
        for (var mutation : mutations) {
            switch (mutation) {
                case Mutation.Announced(var repository, var _, var _) ->
                    memberships.look(repository.identifier().text());
                case Mutation.Unannounced(var repository) ->
                    memberships.look(repository.identifier().text());
                case Mutation.RootServed _, Mutation.StatesChanged _, Mutation.MemberServed _, Mutation.Left _ -> {
                    // nobody's membership
                }
            }
        }
    }

    // ---- questions

    @Override
    public Knowledge knowledge(EventId id) {
        if (passages.containsKey(id)) {
            return Knowledge.UNDER_WAY;
        }
        return switch (parts.archive().standing(id)) {
            case SERVED -> Knowledge.STORED;
            case DELETED -> Knowledge.DELETED;
            case HELD -> Knowledge.HELD;
            case EXPIRED -> Knowledge.EXPIRED;
            case GATED -> Knowledge.GATED;
            case UNKNOWN -> seen.find(id) == Knowledge.UNKNOWN ? refusal(id) : seen.find(id);
        };
    }

    private Knowledge refusal(EventId id) {
        return refusals.find(id)
                .map(reason -> reason == Reason.SUPERSEDED ? Knowledge.SUPERSEDED : Knowledge.REFUSED)
                .orElse(Knowledge.UNKNOWN);
    }

    /// How much there is of everything.
    public IntakeFigures figures() {
        var index = refusals.index();
        return new IntakeFigures(
                refusals.hotCounts(),
                index.coldCounts(),
                index.reasonCounts(),
                index.count(),
                index.waitCount(),
                passages.size(),
                entrance.inGate(),
                seen.count());
    }

    Refusals refusals() {
        return refusals;
    }

    SeenIds seen() {
        return seen;
    }

    Entrance entrance() {
        return entrance;
    }
}
