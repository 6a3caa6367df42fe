package dev.grapnel.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.health.RequestRate;
import dev.grapnel.sync.link.Link;
import dev.grapnel.sync.link.LinkState;
import dev.grapnel.sync.world.RelayInformation;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// A relay that is followed, and what goes on with it.
final class RelayEntry {
    private static final int EMPTY_CHECKS = 2;
    private static final int EMPTY_CHECKS_MAX = 10;

    private final int relay;
    private final RemoteUrl url;
    private final Link link;
    private final boolean isBootstrap;
    private final boolean isConfigured;
    private Optional<RequestRate> rate = Optional.empty();
    private Optional<Transport.Dial> dial = Optional.empty();
    private Optional<Transport.Line> line = Optional.empty();
    private RelayInformation information = RelayInformation.NONE;
    private OptionalLong informedAt = OptionalLong.empty();
    private OptionalLong notInformedAt = OptionalLong.empty();
    private OptionalLong askedAgainAt = OptionalLong.empty();
    private int attempt;
    private boolean isLeaving;
    private String reason = "";
    private int emptyChecks;
    private Runnable daily = () -> {};
    private OptionalLong dailyAt = OptionalLong.empty();
    private boolean isDailyDue;
    private boolean hasBootstrapped;

    RelayEntry(int relay, RemoteUrl url, Link link, boolean isBootstrap, boolean isConfigured) {
        this.relay = relay;
        this.url = url;
        this.link = link;
        this.isBootstrap = isBootstrap;
        this.isConfigured = isConfigured;
    }

    int relay() {
        return relay;
    }

    RemoteUrl url() {
        return url;
    }

    Link link() {
        return link;
    }

    /// How fast it may be asked; unknown before it was first dialled.
    Optional<RequestRate> rate() {
        return rate;
    }

    /// Sets the pace, unless there is one.
    void pace(Supplier<RequestRate> first) {
        rate = rate.or(() -> Optional.of(first.get()));
    }

    boolean isBootstrap() {
        return isBootstrap;
    }

    boolean isConfigured() {
        return isConfigured;
    }

    /// A new attempt; what belongs to an older one is no longer listened to.
    int beginAttempt() {
        isLeaving = false;
        reason = "";
        return ++attempt;
    }

    boolean isCurrent(int number) {
        return attempt == number;
    }

    void setDial(Transport.Dial begun) {
        dial = Optional.of(begun);
    }

    Optional<Transport.Dial> takeDial() {
        var taken = dial;
        dial = Optional.empty();
        return taken;
    }

    void setLine(Transport.Line opened) {
        dial = Optional.empty();
        line = Optional.of(opened);
        notInformedAt = OptionalLong.empty();
    }

    Optional<Transport.Line> line() {
        return line;
    }

    void clearLine() {
        line = Optional.empty();
    }

    /// The connection ends because we want it to.
    void setLeaving() {
        isLeaving = true;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /// Whether it is followed no more as soon as its connection is over; if it is wanted again, then anew (R4.34).
    boolean isEnding() {
        return link.state() == LinkState.DISCONNECTING;
    }

    /// Why we end the connection.
    void setReason(String text) {
        reason = text;
    }

    String reason() {
        return reason;
    }

    // ---- what it says of itself

    RelayInformation information() {
        return information;
    }

    void setInformation(RelayInformation said, long nanos) {
        information = said;
        informedAt = OptionalLong.of(nanos);
        notInformedAt = OptionalLong.empty();
    }

    /// It is asked again before the next attempt; until then its last answer counts.
    void forgetInformation() {
        informedAt = OptionalLong.empty();
        notInformedAt = OptionalLong.empty();
    }

    OptionalLong informedAt() {
        return informedAt;
    }

    void setNotInformed(long nanos) {
        notInformedAt = OptionalLong.of(nanos);
    }

    /// When it could not be asked the last time, unless there was an answer or a connection since.
    OptionalLong notInformedAt() {
        return notInformedAt;
    }

    /// Whether it may be asked although its answer is not old (R4.5): once in a while, however often it refuses.
    boolean mayAskAgain(long nanos, Duration every) {
        boolean isTime = askedAgainAt.isEmpty() || nanos - askedAgainAt.getAsLong() >= every.toNanos();
        if (isTime) {
            askedAgainAt = OptionalLong.of(nanos);
        }
        return isTime;
    }

    // ---- looks

    /// Looks whether nobody names it any more (R4.33): what is under way there may end, but not go on for ever.
    boolean isToGo(boolean isEmpty) {
        emptyChecks = isEmpty ? emptyChecks + 1 : 0;
        boolean isIdle = !link.isBusy() || !link.isUp();
        return emptyChecks >= (isIdle ? EMPTY_CHECKS : EMPTY_CHECKS_MAX);
    }

    /// When it is compared in full the next time, if that is known.
    OptionalLong dailyAt() {
        return dailyAt;
    }

    void setDaily(long nanos, Runnable cancel) {
        clearDaily();
        dailyAt = OptionalLong.of(nanos);
        daily = cancel;
    }

    void clearDaily() {
        daily.run();
        dailyAt = OptionalLong.empty();
    }

    boolean isDailyDue() {
        return isDailyDue;
    }

    void setDailyDue(boolean isDue) {
        isDailyDue = isDue;
    }

    /// Whether this is the first time.
    boolean bootstrapped() {
        boolean isFirst = !hasBootstrapped;
        hasBootstrapped = true;
        return isFirst;
    }
}
