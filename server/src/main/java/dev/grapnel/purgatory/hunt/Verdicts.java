package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
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
    void judge(Identifier identifier, HuntUrl url, Outcome outcome) {
        if (outcome.failed().isEmpty()) {
            health.succeeded(url);
            return;
        }
        var failed = outcome.failed().get();
        var domain = failed.domain();
        switch (failed.failure()) {
            case Failure.Broken(var cause) -> broken(failed.site().orElseGet(() -> siteOf(url, domain)), cause);
            case Failure.Forbidden(var rule) -> {
                health.forbid(url.text(), failed.reason().isEmpty() ? rule : failed.reason());
                notes.accept(new HuntNote.UrlRefused(Optional.of(domain), rule));
            }
            case Failure.SlowDown(var retryAfter) -> throttle.pause(domain, pause(retryAfter));
            case Failure.LedAway(var rule) -> {
                health.notThere(url, identifier, time.now());
                notes.accept(new HuntNote.UrlRefused(Optional.of(domain), rule));
            }
            case Failure.NotThere _ -> health.notThere(url, identifier, time.now());
            case Failure.Passing _, Failure.Complained _ -> {
                if (health.failed(domain)) {
                    throttle.pause(domain, Health.DOMAIN_REST);
                }
            }
            case Failure.Hostile _ -> {
                var entry = naughty.addUrl(url.text(), NaughtyCause.HOSTILE);
                entry.until()
                        .ifPresent(until -> notes.accept(
                                new HuntNote.Naughty(url.domain(), NaughtyCause.HOSTILE, until, entry.isFirst())));
            }
            case Failure.Full _, Failure.Cancelled _, Failure.BusyAddress _ -> {
                return; // not the server's doing
            }
        }
        notes.accept(new HuntNote.Failed(domain, failed.failure(), failed.reason()));
    }

    private static Site siteOf(HuntUrl url, Host domain) {
        return url.domain().equals(domain) ? url.site() : Site.secure(domain);
    }

    private void broken(Site site, NaughtyCause cause) {
        var domain = site.host();
        var entry = naughty.add(site, cause);
        if (entry.until().isPresent()) {
            throttle.abandon(domain);
            notes.accept(new HuntNote.Naughty(domain, cause, entry.until().get(), entry.isFirst()));
        }
    }

    static Duration pause(Optional<Duration> retryAfter) {
        var wished = retryAfter.orElse(PAUSE);
        if (wished.compareTo(PAUSE_MIN) < 0) {
            return PAUSE_MIN;
        }
        return wished.compareTo(PAUSE_MAX) < 0 ? wished : PAUSE_MAX;
    }
}
