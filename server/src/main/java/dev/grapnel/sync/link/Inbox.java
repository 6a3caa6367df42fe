package dev.grapnel.sync.link;

import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.link.Ledger.Use;
import dev.grapnel.sync.received.Arrivals;
import dev.grapnel.sync.world.Heard;
import java.time.Duration;

/// What a relay says, and whom it concerns (sync 4.7, 7.1). Whatever nobody asked for is counted, and too much of it
/// ends
/// the connection.
final class Inbox {
    private static final Duration NOTICE_REACH = Duration.ofSeconds(10);
    private static final Duration JUNK_TIME = Duration.ofMinutes(1);
    private static final int JUNK_MAX = 100;

    private final Link link;
    private int junk;
    private long junkSince;

    Inbox(Link link) {
        this.link = link;
    }

    /// A new connection begins.
    void forget() {
        junk = 0;
    }

    void heard(Heard heard, Wire line) {
        switch (heard) {
            case Heard.Delivered delivered -> deliver(delivered, line);
            case Heard.Said(var message) -> said(message, line);
            case Heard.Unknown _ -> link.note(new LinkNote.Junk("unknown"));
            case Heard.Junk(var reason) -> junk(reason);
        }
    }

    private void deliver(Heard.Delivered delivered, Wire line) {
        var conversation = line.find(delivered.id());
        var event = delivered.event();
        if (conversation.isEmpty()) {
            delivered.decided().run();
            if (!line.isLate(delivered.id())) {
                junk("subscription");
            }
            return;
        }
        var asker = conversation.get();
        if (!asker.expects(event)) {
            delivered.decided().run();
            if (!(asker instanceof LiveGroup group)
                    || !(group.isWide() || link.plan().hasSurplus())) {
                junk("unasked");
            }
            return;
        }
        asker.took(event);
        var arrived = link.work().arrived();
        var entry = arrived.event();
        link.arrivals().receive(event, link.relay(), asker.path(), outcome -> {
            delivered.decided().run();
            if (!line.isOver()) {
                asker.decided(event, outcome);
            }
            if (outcome == Arrivals.Outcome.STORED || outcome == Arrivals.Outcome.HELD) {
                link.accepted();
            }
            noteGap(asker.path(), outcome);
            arrived.decided(entry);
        });
    }

    /// That it came this late shows that the stream has gaps.
    private void noteGap(Arrivals.Path path, Arrivals.Outcome outcome) {
        boolean isLate = path == Arrivals.Path.CATCHUP || path == Arrivals.Path.DAILY;
        if (isLate && outcome == Arrivals.Outcome.STORED) {
            link.note(new LinkNote.Missed());
        }
    }

    private void said(RelayMessage message, Wire line) {
        switch (message) {
            case RelayMessage.EndOfStored(var id, var _) ->
                line.find(id)
                        .ifPresent(asker -> link.work().arrived().then(() -> {
                            if (line.find(id).isPresent()) {
                                asker.ended();
                            }
                        }));
            case RelayMessage.Closed(var id, var text) -> closed(id, text, line);
            case RelayMessage.Notice(var text) -> noticed(text);
            case RelayMessage.Challenge(var challenge) -> link.authentication().challenged(challenge);
            case RelayMessage.Ok ok -> link.authentication().heard(ok);
            case RelayMessage.NegMessage(var id, var bytes) ->
                line.findComparison(id).ifPresent(comparison -> comparison.answered(bytes));
            case RelayMessage.NegError(var id, var reason, var limit) ->
                line.removeComparison(id).ifPresent(comparison -> comparison.failed(reason, limit.isPresent()));
            case RelayMessage.Delivery _, RelayMessage.Counted _ -> link.note(new LinkNote.Junk("unknown"));
        }
    }

    private void closed(SubscriptionId id, String text, Wire line) {
        line.find(id).ifPresent(asker -> {
            if (asker instanceof LiveGroup) {
                line.remove(id);
                line.free(Use.LIVE);
                asker.closed(text);
            } else {
                link.work().arrived().then(() -> {
                    if (line.remove(id).isPresent()) {
                        asker.closed(text);
                    }
                });
            }
        });
    }

    /// A word to nobody in particular (R4.21).
    private void noticed(String text) {
        var line = RefusalLine.of(text, false);
        link.note(new LinkNote.Noticed(line.word()));
        switch (line) {
            case ITEMS, SESSIONS -> link.work().hear(text, NOTICE_REACH);
            case OPEN_BYTES, FILTER_COUNT, SUBSCRIPTIONS, VALUES, LIMIT -> {
                link.plan().refuseSilent(NOTICE_REACH, text);
                link.work().refuseSilent(NOTICE_REACH, text);
            }
            case AUTH -> link.authentication().over(_ -> link.work().pump());
            case RATE -> link.slowDown(RefusalLine.namesQueries(text));
            case POLICY, INVALID, OTHER -> link.work().hear(text, NOTICE_REACH);
        }
    }

    /// Something came that nobody asked for; too much of it, and the connection ends (R4.24).
    void junk(String reason) {
        link.note(new LinkNote.Junk(reason));
        long now = link.loop().nanos();
        if (junk == 0 || now - junkSince > JUNK_TIME.toNanos()) {
            junk = 0;
            junkSince = now;
        }
        if (++junk > JUNK_MAX) {
            junk = 0;
            link.hangUp(Link.FLOODED);
        }
    }
}
