package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// A hunt in a scripted world.
final class Huntsman {
    final VirtualTime time = new VirtualTime();
    final Timeline timeline = time.timeline();
    final ScriptedWorld world = new ScriptedWorld(time);
    final TimedNaughtyList naughty = new TimedNaughtyList(Duration.ofHours(12), time::instant, () -> false);
    final List<HuntNote> notes = new ArrayList<>();
    /// When attempts began.
    final List<Long> starts = new ArrayList<>();
    Consumer<HuntNote> listener = _ -> {};
    final Hunt hunt;

    Huntsman() {
        this(HuntConfig.DEFAULTS, 1);
    }

    Huntsman(HuntConfig config, long seed) {
        hunt = new Hunt(
                config,
                world,
                ScriptedWorld::judge,
                naughty,
                timeline,
                time,
                time,
                new SplittableRandom(seed),
                this::note);
        world.isFetching = hunt::isFetching;
        hunt.start();
    }

    private void note(HuntNote note) {
        notes.add(note);
        listener.accept(note);
        if (note instanceof HuntNote.Started) {
            starts.add(time.now());
        }
    }

    void seconds(double seconds) {
        time.advance(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    void synced(Identifier identifier) {
        hunt.notice(identifier, Occasion.SYNCED);
    }

    /// What goes on with a domain.
    DomainPicture domain(String host) {
        return hunt.counts().domains().getOrDefault(new Host(host), new DomainPicture(0, 0, 0, Optional.empty()));
    }

    <T extends HuntNote> List<T> notes(Class<T> kind) {
        return notes.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static HuntConfig with(HuntConfig.Limits limits) {
        var d = HuntConfig.DEFAULTS;
        return new HuntConfig(
                d.isEnabled(),
                d.loopEvery(),
                d.delays(),
                limits,
                d.guesses(),
                d.expiry(),
                d.refreshEvery(),
                d.dormantEvery(),
                d.attemptLimit(),
                d.hedgeAfter());
    }
}
