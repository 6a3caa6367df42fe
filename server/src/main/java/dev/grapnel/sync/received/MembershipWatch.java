package dev.grapnel.sync.received;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;

/// Tells what a change of announcements means for refused ones and for states (R7.21): who is named or may sign by now,
/// and which announcements wait no more. An identifier that nothing waits for costs one look-up; whoever waits is
/// found by the people that count, so strangers who wait in vain cost nothing.
final class MembershipWatch {
    private static final int OWNERS_PER_TURN = 64;

    /// Of those whom announcements name.
    private static final int PEOPLE_PER_TURN = 4_096;

    private final Scheduler loop;
    private final PurgatoryView purgatory;
    private final Refusals refusals;
    private final Awakening awakening;
    private final SequencedSet<String> changed = new LinkedHashSet<>();
    /// Who is named for an identifier, or announces it, and is still to be looked at.
    private Iterator<Dependency> people = Collections.emptyIterator();

    /// What has been satisfied of this identifier: many may name the same people, and once is enough.
    private final Set<Long> satisfied = new HashSet<>();

    /// Owners of the identifier whose sets are still to be looked at.
    private final Queue<RepositoryAddress> owners = new ArrayDeque<>();

    private boolean isPosted;

    MembershipWatch(Scheduler loop, PurgatoryView purgatory, Refusals refusals, Awakening awakening) {
        this.loop = loop;
        this.purgatory = purgatory;
        this.refusals = refusals;
        this.awakening = awakening;
    }

    /// The announcements of an identifier are not what they were.
    void look(String identifier) {
        if (refusals.areAwaited(identifier) && changed.add(identifier) && !isPosted) {
            isPosted = true;
            loop.post(this::run);
        }
    }

    private void run() {
        isPosted = false;
        try {
            look();
        } finally { // what fails must not be the last that is looked at
            goOn();
        }
    }

    private void look() {
        if (isDone() && !changed.isEmpty()) {
            begin(changed.removeFirst());
        }
        for (int looks = 0; looks < PEOPLE_PER_TURN && people.hasNext(); looks++) {
            satisfy(people.next());
        }
        for (int looks = 0; looks < OWNERS_PER_TURN && !people.hasNext() && !owners.isEmpty(); looks++) {
            var owner = owners.remove();
            var identifier = owner.identifier().text();
            purgatory.maintainers(owner).forEach(person -> satisfy(new Dependency.Authority(person, identifier)));
        }
        awakening.run();
    }

    private boolean isDone() {
        return owners.isEmpty() && !people.hasNext();
    }

    private void goOn() {
        if ((!isDone() || !changed.isEmpty()) && !isPosted) {
            isPosted = true;
            loop.post(this::run);
        }
    }

    private void begin(String identifier) {
        satisfied.clear();
        owners.addAll(purgatory.hosted(identifier));
        var announced = purgatory.announced(identifier);
        for (var repository : refusals.heldBack(identifier)) {
            if (!purgatory.isHeld(repository)) {
                satisfy(new Dependency.Unheld(repository));
                refusals.settle(repository);
            }
        }
        people = Stream.concat(purgatory.listed(identifier), announced.stream().map(RepositoryAddress::owner))
                .<Dependency>map(person -> new Dependency.Maintainer(person, identifier))
                .iterator();
    }

    private void satisfy(Dependency dependency) {
        long key = refusals.key(dependency);
        if (refusals.isAwaited(key) && satisfied.add(key)) {
            awakening.satisfy(key);
        }
    }
}
