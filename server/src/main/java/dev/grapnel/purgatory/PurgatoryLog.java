package dev.grapnel.purgatory;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.WebUrl;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Source;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;

/// Writes down what happens in purgatory (purgatory 10.2), on a thread of its own: it is told by the
/// store's writer, and whoever reads the log may be slow or not read at all. What does not fit meanwhile is
/// only counted.
public final class PurgatoryLog implements Consumer<Happening>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PurgatoryLog.class);
    private static final int ID_DIGITS = 12;
    private static final int IDENTIFIERS_MAX = 10;
    private static final int LINES_MAX = 4_096;
    private static final Line END = new Line(Level.DEBUG, "");

    private final ArrayBlockingQueue<Line> lines;
    private final AtomicLong lost = new AtomicLong();
    private final Consumer<Line> out;
    private final Predicate<Level> isWanted;
    private final Thread thread;

    /// One line, without the event it is about: those may be large.
    record Line(Level level, String text) {}

    public PurgatoryLog() {
        this(
                LINES_MAX,
                LOG::isEnabledForLevel,
                line -> LOG.atLevel(line.level()).log(line.text()));
    }

    PurgatoryLog(int linesMax, Predicate<Level> isWanted, Consumer<Line> out) {
        this.isWanted = isWanted;
        this.lines = new ArrayBlockingQueue<>(linesMax);
        this.out = out;
        this.thread = Thread.ofPlatform().daemon().name("purgatory-log").start(this::run);
    }

    private void run() {
        try {
            for (var line = lines.take(); !line.equals(END); line = lines.take()) {
                write(line);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the server ends, and the log cannot be written
        }
    }

    private void write(Line line) {
        out.accept(line);
        long missing = lost.getAndSet(0);
        if (missing > 0) {
            out.accept(new Line(Level.WARN, "purgatory.log_lost lines=" + missing));
        }
    }

    @Override
    public void accept(Happening happening) {
        switch (happening) {
            case Happening.NowHeld(var row) ->
                say(
                        Level.INFO,
                        "purgatory.held kind={} event={} identifier={} author={} source={} deadline={}",
                        row.event().kind(),
                        row.event().id(),
                        shown(row.identifiers()),
                        row.event().author(),
                        word(row.source()),
                        row.expiresAt());
            case Happening.Released(var row, var path) ->
                say(
                        Level.INFO,
                        "purgatory.released kind={} event={} identifier={} path={}",
                        row.event().kind(),
                        row.event().id(),
                        shown(row.identifiers()),
                        path.word());
            case Happening.Dropped(var row, var reason) -> dropped(row, reason);
            case Happening.Mismatched(var row, var commit) ->
                say(Level.INFO, "purgatory.mismatch event={} expected={} found={}", row.id(), commit, row.commit());
            case Happening.UploadExpired _, Happening.UploadsForgotten _ -> {
                // told by those who delete what was uploaded
            }
            case Happening.SoftExpired(var repository) ->
                say(
                        Level.INFO,
                        "purgatory.soft_expired identifier={} owner={}",
                        repository.identifier(),
                        repository.owner());
            case Happening.Revived(var repository, var cause) ->
                say(
                        Level.INFO,
                        "purgatory.revived identifier={} owner={} cause={}",
                        repository.identifier(),
                        repository.owner(),
                        cause);
            case Happening.Recorded(var event, var record) ->
                say(
                        Level.DEBUG,
                        "dormant.recorded event={} identifier={} domain={}",
                        event,
                        shown(record.identifiers()),
                        domains(record));
            case Happening.Offline(var standing) ->
                say(
                        Level.INFO,
                        "repository.offline identifier={} owner={} cause={}",
                        standing.repository().identifier(),
                        standing.repository().owner(),
                        standing.cause().name().toLowerCase(Locale.ROOT));
            case Happening.Restored(var repository) ->
                say(
                        Level.INFO,
                        "repository.restored identifier={} owner={}",
                        repository.identifier(),
                        repository.owner());
        }
    }

    private void dropped(Held row, DropReason reason) {
        if (reason != DropReason.EXPIRED) {
            say(
                    Level.INFO,
                    "purgatory.dropped kind={} event={} identifier={} reason={}",
                    row.event().kind(),
                    row.event().id(),
                    shown(row.identifiers()),
                    reason.word());
            return;
        }
        var level = row.source() == Source.DIRECT ? Level.WARN : Level.DEBUG;
        var commit = row instanceof HeldProposal proposal ? proposal.proposal().commit() : "";
        for (var identifier : shown(row.identifiers())) {
            say(
                    level,
                    "purgatory.expired kind={} event={} identifier={} npub={} commit={} source={}",
                    row.event().kind(),
                    row.event().id().toHex().substring(0, ID_DIGITS),
                    identifier,
                    new Npub(row.event().author()),
                    commit,
                    word(row.source()));
        }
    }

    private static Set<String> domains(Dormant record) {
        return record.cloneUrls().stream()
                .flatMap(url -> WebUrl.parse(url).find().stream())
                .map(url -> url.host().text())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void say(Level level, String pattern, Object... values) {
        if (isWanted.test(level)) {
            var text = MessageFormatter.arrayFormat(pattern, values).getMessage();
            if (!lines.offer(new Line(level, text))) {
                lost.incrementAndGet();
            }
        }
    }

    private static List<Identifier> shown(List<Identifier> identifiers) {
        return identifiers.stream().limit(IDENTIFIERS_MAX).toList();
    }

    private static String word(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }

    /// Writes what waits, unless nobody reads it within a second.
    @Override
    public void close() {
        try {
            if (!lines.offer(END, 1, TimeUnit.SECONDS) || !thread.join(Duration.ofSeconds(1))) {
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
