package dev.grapnel.purgatory.hunt;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The right to one conversation with a domain (P-641 to P-643), and all it took on the way: connections to machines,
/// domains it was led to. Given back once, whoever comes first; guarded by the throttle.
final class Lease implements Permits {
    final Domain domain;
    /// When its first connection was begun; before that, when it was given.
    long startedAt;
    /// Machines it has a connection with, or may have.
    final Set<InetAddress> reserved = new HashSet<>();
    /// Those it asked for.
    final Set<InetAddress> connected = new HashSet<>();
    /// Domains it was led to.
    final List<Domain> targets = new ArrayList<>();
    boolean isOpen = true;
    /// Whether a machine had no connection left for it.
    boolean wasRefused;

    private final Throttle throttle;

    Lease(Throttle throttle, Domain domain, long startedAt) {
        this.throttle = throttle;
        this.domain = domain;
        this.startedAt = startedAt;
    }

    @Override
    public boolean connect(InetAddress address) {
        return throttle.connect(this, address);
    }

    @Override
    public boolean redirect(Site target) {
        return throttle.redirect(this, target.host());
    }

    /// One more request of the same conversation (P-643).
    boolean tryFurther() {
        return throttle.further(this);
    }

    /// One more request that others need not wait for: only while half of the domain's rate is unused.
    boolean trySpare() {
        return throttle.spare(this);
    }

    /// One more request for an id that is not advertised (P-662).
    ///
    /// @param perMinute how many such the domain bears
    boolean tryGuess(int perMinute) {
        return throttle.guess(this, perMinute);
    }

    /// Whether it is true that a machine had no connection left: only then nothing was asked and nothing counts.
    boolean isAddressBusy() {
        return throttle.isAddressBusy(this);
    }

    /// The conversation is over.
    void release() {
        throttle.release(this, false);
    }

    /// No request was made: the start does not count either.
    void refund() {
        throttle.release(this, true);
    }
}
