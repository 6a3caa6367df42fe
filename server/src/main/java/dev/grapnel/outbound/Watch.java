package dev.grapnel.outbound;

import dev.grapnel.outbound.Pace.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Ends one conversation when a limit of time is exceeded or somebody cancels it, by stopping what its thread
/// waits for; the thread then learns from here why.
final class Watch implements AutoCloseable {
    private final LineLimits limits;
    private final Alarms alarms;
    private final LongSupplier nanoTime;
    private final Cancellation cancellation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Pace pace;
    private Runnable stopper = () -> {};
    private Optional<Failure> verdict = Optional.empty();
    private Optional<Alarms.Alarm> alarm = Optional.empty();
    private boolean isClosed;

    private Watch(LineLimits limits, Alarms alarms, LongSupplier nanoTime, Cancellation cancellation) {
        this.limits = limits;
        this.alarms = alarms;
        this.nanoTime = nanoTime;
        this.cancellation = cancellation;
        this.pace = new Pace(limits, nanoTime.getAsLong());
    }

    static Watch begin(LineLimits limits, Alarms alarms, LongSupplier nanoTime, Cancellation cancellation) {
        var watch = new Watch(limits, alarms, nanoTime, cancellation);
        if (!cancellation.add(watch)) {
            watch.stop(new Failure.Cancelled());
        }
        return watch;
    }

    /// A watch over the other direction of the same conversation. Whatever ends one ends both, and is learnt from
    /// this one.
    Watch beside() {
        var other = new Watch(limits, alarms, nanoTime, new Cancellation());
        other.stopBy(() -> stop(other.findVerdict().orElseThrow()));
        return other;
    }

    /// A step begins that is nothing but waiting.
    ///
    /// @param stop ends the waiting, from any thread; called at once if it is too late to begin
    void await(Phase phase, Runnable stop) {
        enter(phase, true);
        stopBy(stop);
    }

    /// A phase begins in which every wait is told by itself.
    void enter(Phase phase) {
        enter(phase, false);
    }

    private void enter(Phase phase, boolean isWaiting) {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            pace.endWait(now, 0);
            pace.enter(phase, now);
            if (isWaiting) {
                pace.beginWait(now);
            }
            arm(now);
        } finally {
            lock.unlock();
        }
    }

    /// From now on the conversation ends in another way.
    void stopBy(Runnable stop) {
        if (replaceStopper(stop)) {
            stop.run();
        }
    }

    private boolean replaceStopper(Runnable stop) {
        lock.lock();
        try {
            stopper = stop;
            return verdict.isPresent();
        } finally {
            lock.unlock();
        }
    }

    void allowSilence(Duration limit) {
        lock.lock();
        try {
            pace.allowSilence(limit);
            arm(nanoTime.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    void beginWait() {
        lock.lock();
        try {
            pace.beginWait(nanoTime.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    void endWait(long moved) {
        lock.lock();
        try {
            pace.endWait(nanoTime.getAsLong(), moved);
        } finally {
            lock.unlock();
        }
    }

    /// Ends the conversation; the first reason is the one that counts.
    void stop(Failure failure) {
        decide(failure).ifPresent(Runnable::run);
    }

    private Optional<Runnable> decide(Failure failure) {
        lock.lock();
        try {
            if (isClosed || verdict.isPresent()) {
                return Optional.empty();
            }
            verdict = Optional.of(failure);
            return Optional.of(stopper);
        } finally {
            lock.unlock();
        }
    }

    /// @throws OutboundException if the conversation was ended
    void check() throws OutboundException {
        var failure = findVerdict();
        if (failure.isPresent()) {
            throw new OutboundException(failure.get());
        }
    }

    /// Why something failed: because it was stopped, or for a reason of its own.
    OutboundException explain(Exception e, Failure own) {
        if (e instanceof OutboundException explained) {
            return explained;
        }
        var failure = findVerdict();
        if (failure.isEmpty() && Thread.currentThread().isInterrupted()) {
            return new OutboundException(new Failure.Cancelled(), e); // which closed the socket
        }
        return new OutboundException(failure.orElse(own), e);
    }

    OutboundException explain(IOException e) {
        return explain(e, TlsFaults.classify(e));
    }

    private Optional<Failure> findVerdict() {
        lock.lock();
        try {
            return verdict;
        } finally {
            lock.unlock();
        }
    }

    /// Looks whether a limit is exceeded, and when to look again. Limits move away while bytes flow, so most
    /// alarms find nothing; that is cheaper than setting one anew with every read.
    private void look() {
        findExceeded().ifPresent(limit -> stop(new Failure.Timeout(limit)));
    }

    private Optional<Failure.Limit> findExceeded() {
        lock.lock();
        try {
            if (isClosed || verdict.isPresent()) {
                return Optional.empty();
            }
            long now = nanoTime.getAsLong();
            var exceeded = pace.findExceeded(now);
            if (exceeded.isEmpty()) {
                arm(now);
            }
            return exceeded;
        } finally {
            lock.unlock();
        }
    }

    private void arm(long now) {
        alarm.ifPresent(Alarms.Alarm::cancel);
        alarm = isClosed
                ? Optional.empty()
                : Optional.of(alarms.after(Duration.ofNanos(pace.nanosUntilLook(now)), this::look));
    }

    @Override
    public void close() {
        cancellation.remove(this);
        lock.lock();
        try {
            isClosed = true;
            alarm.ifPresent(Alarms.Alarm::cancel);
            alarm = Optional.empty();
        } finally {
            lock.unlock();
        }
    }
}
