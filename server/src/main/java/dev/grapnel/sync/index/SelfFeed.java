package dev.grapnel.sync.index;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the index what store and purgatory say (sync 1.3).
///
/// At the start everything that is stored is read, then the store is followed from the commit before that: what
/// happened meanwhile is told again, which does no harm. If an earlier process left tables that can be used, only
/// announcements are read, and the store is followed from the commit of the tables. Mutations are gathered for a while
/// and applied
/// together; purgatory is compared at intervals; once a day everything is compared with the store. Members of
/// threads are looked for in the background. Jobs that change the index run one after the other, in short
/// turns.
public final class SelfFeed {
    private static final Logger LOG = LoggerFactory.getLogger(SelfFeed.class);
    private static final int REFERENCES_MAX = 1000;
    private static final int WINDOWS_OF_GRACE = 3;
    private static final long QUIET_NANOS = Duration.ofHours(1).toNanos();

    private final Scheduler scheduler;
    private final Archive archive;
    private final PurgatoryView purgatory;
    private final WantedIndex index;
    private final FeedTimes times;
    private final FeedListener listener;
    private final Turns turns;
    private final Window window;
    private final StoreReading reading;
    private final ThreadWalk walk;
    private final KeptTables kept;
    private final List<Runnable> endings = new ArrayList<>();
    private @Nullable Runnable unfollow;
    private @Nullable StoreAudit audit;
    private Stage stage = Stage.READING;
    private boolean isComparing;
    /// Mutations were lost since everything was read last.
    private boolean isBehind;
    /// The last commit that was told, and the last one that is in the index.
    private long told;

    private long covered;
    private Runnable cancelMending = () -> {};
    private long refusedTold;
    private long refusedToldAt;

    private enum Stage {
        READING,
        /// Until the commit that was the last one when reading ended.
        CATCHING_UP,
        FOLLOWING
    }

    public SelfFeed(
            Scheduler scheduler,
            Archive archive,
            PurgatoryView purgatory,
            WantedIndex index,
            FeedTimes times,
            FeedListener listener,
            SnapshotFiles files) {
        this.scheduler = scheduler;
        this.archive = archive;
        this.purgatory = purgatory;
        this.index = index;
        this.times = times;
        this.listener = listener;
        this.turns = new Turns(scheduler, this::repair);
        this.window = new Window(scheduler, times.window(), () -> turns.enqueue(this::applyWindow));
        this.reading = new StoreReading(archive, turns);
        this.walk = new ThreadWalk(index, reading, scheduler, window, this::settle);
        this.kept = new KeptTables(index, files);
    }

    /// Begins; on the loop.
    public void start() {
        endings.add(purgatory.watch(this::maintainersChanged));
        long now = archive.commitNumber(); // before looking at what is left takes its time
        turns.enqueue(done -> kept.find(
                turns,
                archive.lineage(),
                now,
                left -> left.ifPresentOrElse(commit -> readAnnouncements(commit, done), () -> readStore(now, done))));
    }

    /// Ends; on the loop. The listener hears nothing more.
    public void stop() {
        if (turns.isIdle() && stage == Stage.FOLLOWING) {
            covered = window.isEmpty() ? told : covered;
            kept.saveNow(archive.lineage(), covered);
        }
        turns.stop();
        window.clear();
        endings.forEach(Runnable::run);
        cancelMending.run();
        if (unfollow != null) {
            unfollow.run();
        }
    }

    /// Reads everything (R1.11). What the index has and the store has not, because mutations were lost, goes.
    private void readStore(Runnable done) {
        readStore(archive.commitNumber(), done);
    }

    /// @param commit one before the reading; the store is followed from there
    private void readStore(long commit, Runnable done) {
        var census = new Census(index);
        reading.read(
                (found, taken) -> turns.run(index.reading(found, listener), () -> {
                    census.meet(found);
                    taken.run();
                }),
                () -> turns.run(
                        census,
                        () -> turns.run(index.applying(census.absent(), listener), () -> follow(commit, done))));
    }

    /// Reads what is not in the tables that were left.
    private void readAnnouncements(long commit, Runnable done) {
        reading.readAnnouncements(
                (found, taken) -> turns.run(index.announcing(found, listener), taken),
                () -> turns.run(index.applying(List.of(), listener), () -> loadRoots(() -> follow(commit, done))));
    }

    /// Something failed in the middle: the index may have half of it, and what was to come after that never did.
    private void repair(Runnable done) {
        LOG.warn("sync.index failed, everything is read again");
        cancelMending.run();
        audit = null;
        isComparing = false;
        walk.giveUp();
        fallBehind();
        readStore(done);
    }

    /// What was told is of no use: everything is about to be read again.
    private void fallBehind() {
        isBehind = true;
        window.clear();
        stage = stage == Stage.CATCHING_UP ? Stage.READING : stage;
    }

    private void follow(long commit, Runnable done) {
        boolean isFirst = stage == Stage.READING;
        long target = archive.commitNumber();
        var follower = new Follower(target);
        told = commit;
        covered = commit;
        stage = isFirst ? Stage.CATCHING_UP : stage;
        if (unfollow != null) {
            unfollow.run();
        }
        unfollow = archive.follow(commit, follower);
        catchUp(() -> {
            if (isFirst) {
                // If nothing of what happened meanwhile is told, for it does not matter, a window ends the wait.
                window.arm();
                if (target == commit) {
                    window.fire();
                }
                done.run();
            } else {
                applied(done);
            }
        });
    }

    /// After mutations were lost, members may be gone and others untold.
    private void catchUp(Runnable done) {
        if (!isBehind) {
            done.run();
            return;
        }
        isBehind = false;
        index.searchAgain();
        turns.run(new MemberCheck(index, archive, gone -> window.add(gone, () -> {})), () -> {
            listener.caughtUp();
            done.run();
        });
    }

    private void applyWindow(Runnable done) {
        long upTo = told;
        var batch = window.take();
        if (stage == Stage.READING || isBehind) { // the feed was lost meanwhile, and what is read next has all of it
            done.run();
            return;
        }
        var work = index.applying(batch.mutations(), listener).alsoStates(batch.identifiers());
        turns.run(
                work,
                () -> loadRoots(() -> {
                    covered = upTo;
                    applied(done);
                }));
    }

    /// Roots that were stored before their announcement (R1.13), as part of the same batch.
    private void loadRoots(Runnable done) {
        var references = index.takeRootLoads(REFERENCES_MAX);
        if (references.isEmpty()) {
            done.run();
            return;
        }
        reading.readTagged(
                'a',
                references,
                (found, taken) -> turns.run(index.applying(roots(found), listener), taken),
                () -> loadRoots(done));
    }

    private static List<Mutation> roots(List<Mutation> found) {
        return found.stream().filter(Mutation.RootServed.class::isInstance).toList();
    }

    private void applied(Runnable done) {
        listener.applied();
        if (stage == Stage.CATCHING_UP) {
            stage = Stage.FOLLOWING;
            repeat(times.purgatory(), this::comparePurgatory);
            repeat(times.audit(), () -> turns.enqueue(this::auditIndex));
            listener.ready();
            comparePurgatory();
        }
        tellRefused();
        walk.go();
        keep(done);
    }

    /// Says how far the tables are, for the next process.
    private void keep(Runnable done) {
        turns.run(kept.summing(), () -> {
            kept.save(archive.lineage(), covered);
            done.run();
        });
    }

    /// All threads were walked; what was found counts once it is in the index.
    private void settle() {
        if (stage == Stage.FOLLOWING && window.isEmpty() && !index.isSettled()) {
            turns.enqueue(done -> {
                if (walk.isIdle() && window.isEmpty()) {
                    index.settleSearches();
                    kept.change();
                }
                keep(done);
            });
        }
    }

    private void repeat(Duration interval, Runnable work) {
        int place = endings.size();
        endings.add(() -> {});
        again(place, interval, work);
    }

    private void again(int place, Duration interval, Runnable work) {
        endings.set(place, scheduler.after(interval, () -> {
            again(place, interval, work);
            work.run();
        }));
    }

    private void comparePurgatory() {
        if (isComparing) {
            return;
        }
        isComparing = true;
        turns.enqueue(done -> {
            var announced = window.announced();
            turns.run(
                    index.registering(
                            purgatory.announcements(),
                            purgatory::relays,
                            waiting -> announced.contains(waiting.repository())
                                    || archive.standing(waiting.id()) == Archive.Standing.SERVED,
                            listener),
                    () -> {
                        isComparing = false;
                        listener.applied();
                        keep(done);
                    });
        });
    }

    /// Who may speak for a repository may depend on announcements that wait.
    private void maintainersChanged(Set<String> identifiers) {
        if (stage == Stage.READING) { // states are looked at when everything is read
            identifiers.forEach(index::ageStates);
            return;
        }
        var known = new HashSet<String>();
        for (var identifier : identifiers) {
            Identifier.parse(identifier)
                    .find()
                    .ifPresent(name -> index.repos().forEach(name, repo -> {
                        if (index.level(repo) == Level.FULL) {
                            known.add(identifier);
                        }
                    }));
        }
        if (!known.isEmpty() && !turns.isStopped()) {
            known.forEach(this::touch);
            window.addIdentifiers(known);
        }
    }

    private void touch(String identifier) {
        if (audit != null) {
            audit.touch(identifier);
        }
    }

    private void tellRefused() {
        long refused = index.threads().refused();
        boolean isQuiet = refusedTold > 0 && scheduler.nanos() - refusedToldAt < QUIET_NANOS;
        if (refused > refusedTold && !isQuiet) {
            LOG.warn("sync.members not followed, there are too many count={}", refused);
            refusedTold = refused;
            refusedToldAt = scheduler.nanos();
        }
    }

    /// Compares with itself first, then with the store (R2.8).
    private void auditIndex(Runnable done) {
        var own = index.auditing();
        turns.run(own, () -> {
            if (own.differences() > 0) {
                listener.drifted(own.differences());
            }
            done.run();
            compareStore();
        });
    }

    private void compareStore() {
        if (audit != null) {
            return; // yesterday's goes on
        }
        var running = new StoreAudit(index, archive);
        audit = running;
        reading.read(
                (found, taken) -> turns.run(running.comparing(found), taken),
                () -> turns.run(running.census(), () -> {
                    running.suspectAbsent();
                    compareThreads(running);
                }));
    }

    private void compareThreads(StoreAudit running) {
        new ThreadAudit(
                        index,
                        reading,
                        scheduler,
                        (found, taken) -> turns.run(running.comparing(found), taken),
                        () -> turns.run(
                                running.membersServed(),
                                () -> cancelMending = scheduler.after(
                                        times.window().multipliedBy(WINDOWS_OF_GRACE),
                                        () -> turns.enqueue(this::mend))))
                .go();
    }

    private void mend(Runnable done) {
        var running = audit;
        audit = null;
        var differences = running == null ? List.<Mutation>of() : running.differences();
        if (!differences.isEmpty()) {
            listener.drifted(differences.size());
            window.add(differences, () -> {});
        }
        var lacking = running == null ? List.<Mutation>of() : running.lacking();
        if (!lacking.isEmpty()) {
            window.add(lacking, () -> {});
        }
        done.run();
    }

    /// Hears of the store, until it is lost.
    private final class Follower implements Archive.Follower {
        private final long target;
        private final Executor parts = turns.parts();
        private boolean isLost;

        Follower(long target) {
            this.target = target;
        }

        @Override
        public void changed(List<Mutation> mutations, List<Archive.Appearance> appeared, long upTo, Runnable taken) {
            if (!isLost) {
                parts.execute(() -> tell(mutations, appeared, upTo, taken));
            }
        }

        private void tell(List<Mutation> mutations, List<Archive.Appearance> appeared, long upTo, Runnable taken) {
            int[] waiting = {appeared.isEmpty() ? 1 : 2};
            Runnable one = () -> {
                if (--waiting[0] == 0) {
                    taken.run();
                }
            };
            if (!appeared.isEmpty()) {
                listener.appeared(appeared, upTo, one);
            }
            if (audit != null) {
                audit.touch(mutations);
            }
            told = upTo;
            window.add(mutations, one);
            if (stage == Stage.CATCHING_UP && upTo >= target) {
                window.fire();
            }
        }

        @Override
        public void lost(long commitNumber) {
            if (!isLost) {
                isLost = true;
                parts.execute(() -> {
                    LOG.warn("sync.feed lost, everything is read again commit={}", commitNumber);
                    fallBehind();
                    turns.enqueue(SelfFeed.this::readStore);
                });
            }
        }
    }
}
