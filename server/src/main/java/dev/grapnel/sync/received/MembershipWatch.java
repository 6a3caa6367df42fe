package dev.grapnel.sync.received;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.function.Function;

/// Tells what a change of announcements means for refused ones and for states (R7.21): who is named or may sign by now,
/// and which announcements wait no more. An identifier that nothing waits for costs one look-up; whoever waits is
/// found by the people that count, so strangers who wait in vain cost nothing.
final class MembershipWatch {
    private static final int OWNERS_PER_TURN = 64;

    private final Scheduler loop;
    private final PurgatoryView purgatory;
    private final Refusals refusals;
    private final Awakening awakening;
    private final SequencedSet<String> changed = new LinkedHashSet<>();
    /// Owners of an identifier whose sets are still to be looked at.
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
        if (owners.isEmpty() && !changed.isEmpty()) {
            begin(changed.removeFirst());
        }
        for (int looks = 0; looks < OWNERS_PER_TURN && !owners.isEmpty(); looks++) {
            var owner = owners.remove();
            var identifier = owner.identifier().text();
            satisfy(purgatory.maintainers(owner), person -> new Dependency.Authority(person, identifier));
        }
        awakening.run();
    }

    private void goOn() {
        if ((!owners.isEmpty() || !changed.isEmpty()) && !isPosted) {
            isPosted = true;
            loop.post(this::run);
        }
    }

    private void begin(String identifier) {
        owners.addAll(purgatory.hosted(identifier));
        var announced = purgatory.announced(identifier);
        for (var repository : refusals.heldBack(identifier)) {
            if (!purgatory.isHeld(repository)) {
                awakening.satisfy(refusals.key(new Dependency.Unheld(repository)));
                refusals.settle(repository);
            }
        }
        satisfy(purgatory.listed(identifier), person -> new Dependency.Maintainer(person, identifier));
        satisfy(
                announced.stream().map(RepositoryAddress::owner).toList(),
                person -> new Dependency.Maintainer(person, identifier));
    }

    private void satisfy(Collection<PublicKey> people, Function<PublicKey, Dependency> dependency) {
        people.stream()
                .filter(person -> refusals.isAwaited(refusals.key(dependency.apply(person))))
                .sorted()
                .forEach(person -> awakening.satisfy(refusals.key(dependency.apply(person))));
    }
}
