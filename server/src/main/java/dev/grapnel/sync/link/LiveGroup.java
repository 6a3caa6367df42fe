package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The live filters of one REQ (R3.8). What it covers is kept as ranges; filters are made when it is sent.
final class LiveGroup implements Wire.Conversation {
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

    /// So soon after it was opened a request has not waited.
    private static final Duration DELAY = Duration.ofMillis(100);

    /// A relay that ends other requests has ended this one by then, or has refused it by a word to nobody.
    private static final Duration SILENCE = Duration.ofMinutes(2);

    /// Some relays answer, and close it at once.
    private static final Duration KEPT = Duration.ofSeconds(60);

    private final Link link;
    private final List<Question> questions;
    private final Optional<Filter> wide;
    private final long bytes;
    private Optional<SubscriptionId> id = Optional.empty();
    private boolean isAcknowledged;
    private boolean hasDelivered;
    private int silences;
    private long openedAt;
    private int closings;
    private boolean isParked;
    private boolean isAuthenticated;
    private OptionalLong missedSince = OptionalLong.empty();

    /// @param wide a filter that is no question (8.5)
    LiveGroup(Link link, List<Question> questions, Optional<Filter> wide) {
        this.link = link;
        this.questions = List.copyOf(questions);
        this.wide = wide;
        this.bytes = questions.stream()
                        .mapToLong(question -> question.chunk().bytes() + 64)
                        .sum()
                + 64;
    }

    List<Question> questions() {
        return questions;
    }

    int filterCount() {
        return questions.size() + (wide.isPresent() ? 1 : 0);
    }

    long bytes() {
        return bytes;
    }

    boolean isAnnouncements() {
        return !questions.isEmpty() && questions.getFirst().chunk().layer() == Layer.ANNOUNCEMENTS;
    }

    List<Filter> filters() {
        int limit = link.bearing().liveLimit();
        var all = new ArrayList<Filter>();
        wide.ifPresent(all::add);
        questions.forEach(question -> question.filter(link.targets(), link.config())
                .ifPresent(filter -> all.add(filter.limit(limit).build())));
        return all;
    }

    /// So that it is known again when it was refused.
    long fingerprint() {
        long all = 0;
        for (var filter : filters()) {
            all = all * 31 + Fingerprint.of(filter.json());
        }
        return all;
    }

    /// Values of its largest filter.
    int width() {
        return questions.stream()
                .mapToInt(question -> question.chunk().size())
                .max()
                .orElse(0);
    }

    // ---- open or not

    void opened(SubscriptionId as) {
        id = Optional.of(as);
        isAcknowledged = false;
        hasDelivered = false;
        openedAt = link.loop().nanos();
    }

    Optional<SubscriptionId> id() {
        return id;
    }

    boolean isOpen() {
        return id.isPresent();
    }

    /// It counts from when its request has gone out, however long that had to wait.
    @Override
    public void sent() {
        long now = link.loop().nanos();
        if (now - openedAt >= DELAY.toNanos()) {
            openedAt = now;
            link.loop().after(ACKNOWLEDGEMENT, link::acknowledged);
        }
        var then = id;
        link.loop().after(SILENCE, () -> {
            if (isOpen() && id.equals(then) && !isAcknowledged && !hasDelivered) {
                link.plan().closings().silent(this);
            }
        });
    }

    /// How often nothing came for it, before.
    int countSilence() {
        return silences++;
    }

    void setClosed() {
        id = Optional.empty();
        isAcknowledged = false;
    }

    /// Whether it counts as delivering: by its EOSE, or because some relays say none for it (R3.11).
    boolean isAcknowledged() {
        return isOpen() && (isAcknowledged || link.loop().nanos() - openedAt >= ACKNOWLEDGEMENT.toNanos());
    }

    /// Whether the relay said so itself, and it is still open.
    boolean isAnswered() {
        return isOpen() && isAcknowledged;
    }

    boolean isUnanswered(Duration within) {
        return isOpen() && !isAcknowledged && link.loop().nanos() - openedAt <= within.toNanos();
    }

    long openedAt() {
        return openedAt;
    }

    /// How often it was closed without a reason that anything can be done about.
    int countClosing() {
        return closings++;
    }

    /// The relay closed it at this second of the wall clock: from then on something may have been missed.
    void missed(long second) {
        missedSince = OptionalLong.of(Math.min(second, missedSince.orElse(second)));
    }

    /// Since when something may have been missed that nobody has asked for.
    OptionalLong missedSince() {
        return missedSince;
    }

    /// The same, once it delivers again; asked once.
    OptionalLong takeMissed() {
        var since = isAcknowledged() ? missedSince : OptionalLong.empty();
        if (since.isPresent()) {
            missedSince = OptionalLong.empty();
        }
        return since;
    }

    void setParked(boolean parks) {
        isParked = parks;
    }

    boolean isParked() {
        return isParked;
    }

    boolean mayAuthenticate() {
        boolean may = !isAuthenticated;
        isAuthenticated = true;
        return may;
    }

    // ---- what comes

    @Override
    public boolean expects(Event event) {
        if (isAnnouncements()) {
            return event.kind() == Kinds.ANNOUNCEMENT
                    || event.kind() == Kinds.GRASP_LIST
                    || (event.kind() == Kinds.STATE && link.config().asksStatesInFirstLayer());
        }
        return link.targets().touches(link.relay(), event);
    }

    /// Whether what nobody wants is no fault of the relay's: a wide filter asks for more than is wanted (R8.6).
    boolean isWide() {
        return wide.isPresent();
    }

    @Override
    public Path path() {
        return Path.LIVE;
    }

    @Override
    public void took(Event event) {
        hasDelivered = true;
    }

    @Override
    public void decided(Event event, Outcome outcome) {
        switch (outcome) {
            case FORGED -> link.junk("signature");
            case FAILED -> link.work().ids().missLive(event.id());
            case OVER_QUOTA -> {
                link.note(new LinkNote.OverQuota());
                link.work().ids().missLive(event.id());
            }
            case STORED,
                    KNOWN,
                    HELD,
                    KNOWN_HELD,
                    REFUSED,
                    REFUSED_INVALID,
                    REFUSED_BLOCKED,
                    REFUSED_RESTRICTED,
                    REFUSED_POW,
                    IGNORED -> {
                // done
            }
        }
    }

    @Override
    public void ended() {
        if (isAcknowledged) {
            return; // once is enough
        }
        isAcknowledged = true;
        link.acknowledged();
        var then = id;
        link.loop().after(KEPT, () -> {
            if (isOpen() && id.equals(then)) {
                link.lessons().answered(Patience.Kind.LIVE);
            }
        });
    }

    @Override
    public void closed(String text) {
        link.plan().closings().closed(this, text);
    }
}
