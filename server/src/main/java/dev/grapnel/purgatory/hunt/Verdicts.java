package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// What an answer leads to (purgatory 6.7).
final class Verdicts {
    /// The longest pause a server gets because it asks for one.
    static final Duration PAUSE_MAX = Duration.ofMinutes(10);

    /// The pause of a server that does not say how long.
    static final Duration PAUSE = Duration.ofSeconds(60);

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    private final Throttle throttle;
    private final Health health;
    private final NaughtyList naughty;
    private final Timeline time;
    private final Consumer<HuntNote> notes;

    Verdicts(Throttle throttle, Health health, NaughtyList naughty, Timeline time, Consumer<HuntNote> notes) {
        this.throttle = throttle;
        this.health = health;
        this.naughty = naughty;
        this.time = time;
        this.notes = notes;
    }

    /// Remembers what a visit showed about its server. Called before the visit's permit is given back: whoever is
    /// woken by that knows it already.
    ///
    /// @return until when the server or the URL is left alone
    Optional<Instant> judge(Identifier identifier, HuntUrl url, Outcome outcome) {
        if (outcome.failed().isEmpty()) {
            health.succeeded(url);
            return Optional.empty();
        }
        var failed = outcome.failed().get();
        var domain = failed.domain();
        Optional<Instant> until = switch (failed.failure()) {
            case Failure.Broken(var cause) -> broken(domain, cause);
            case Failure.Forbidden(var rule) -> {
                health.forbid(url.text(), rule);
                notes.accept(new HuntNote.UrlRefused(Optional.of(domain), rule));
                yield Optional.empty();
            }
            case Failure.SlowDown(var retryAfter) -> rest(domain, pause(retryAfter));
            case Failure.NotThere _ ->
                health.notThere(url, identifier, time.now()) ? after(Health.URL_REST) : Optional.empty();
            case Failure.Passing _ -> health.failed(domain) ? rest(domain, Health.DOMAIN_REST) : Optional.empty();
            case Failure.Hostile _ -> {
                var entry = naughty.addUrl(url.text(), NaughtyCause.HOSTILE);
                entry.until()
                        .ifPresent(end -> notes.accept(
                                new HuntNote.Naughty(url.domain(), NaughtyCause.HOSTILE, end, entry.isFirst())));
                yield entry.until();
            }
            case Failure.Cancelled _, Failure.BusyAddress _ -> Optional.empty(); // not the server's doing
        };
        if (failed.failure().isTheirs()) {
            notes.accept(new HuntNote.Failed(domain, failed.failure(), failed.reason()));
        }
        return until;
    }

    private Optional<Instant> rest(Host domain, Duration wait) {
        throttle.pause(domain, wait);
        return after(wait);
    }

    private Optional<Instant> after(Duration wait) {
        return Optional.of(time.wall().plus(wait));
    }

    private Optional<Instant> broken(Host domain, NaughtyCause cause) {
        var entry = naughty.addHost(domain, cause);
        if (entry.until().isPresent()) {
            throttle.abandon(domain);
            notes.accept(new HuntNote.Naughty(domain, cause, entry.until().get(), entry.isFirst()));
        }
        return entry.until();
    }

    static Duration pause(Optional<Duration> retryAfter) {
        var wished = retryAfter.orElse(PAUSE);
        if (wished.compareTo(PAUSE_MIN) < 0) {
            return PAUSE_MIN;
        }
        return wished.compareTo(PAUSE_MAX) < 0 ? wished : PAUSE_MAX;
    }
}
