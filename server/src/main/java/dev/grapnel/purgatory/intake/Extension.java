package dev.grapnel.purgatory.intake;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Terms;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives events more time that a push relies on (S8, A9).
///
/// @param expiry how long an announcement waits
/// @param afterPush how long a state waits at least from the beginning of a push on
public record Extension(EventStore store, Pools pools, Duration expiry, Duration afterPush) {
    private static final Logger LOG = LoggerFactory.getLogger(Extension.class);

    /// The events that must not go while a push for this state runs.
    List<EventId> relied(RepositoryState state) {
        var pool = pools.of(state.identifier());
        var held = pool.states().stream()
                .map(waiting -> waiting.id())
                .filter(id -> id.equals(state.event().id()));
        return Stream.concat(
                        held,
                        authorising(pool, state.author())
                                .map(HeldVoice::voice)
                                .map(voice -> voice.version().id()))
                .toList();
    }

    private static Stream<HeldVoice> authorising(Pool pool, PublicKey author) {
        return pool.authorising(author).stream().flatMap((Announced entry) -> entry.held().stream());
    }

    /// Nobody waits for it: whoever loses it in a crash loses a few minutes (P-702).
    void extend(RepositoryState state) {
        if (tooShort(state, pools.of(state.identifier())).isEmpty()) {
            return;
        }
        var _ = store.write(Urgency.WAITING, 0, transaction -> extend(state, transaction))
                .exceptionally(problem -> {
                    LOG.warn(
                            "deadline not extended event={} reason={}",
                            state.event().id(),
                            problem.toString());
                    return false;
                });
    }

    private boolean extend(RepositoryState state, StoreTransaction transaction) {
        var terms = tooShort(state, pools.seenBy(transaction, state.identifier()));
        terms.forEach(transaction::amend);
        return !terms.isEmpty();
    }

    /// What would end too early, with the time it gets.
    private Map<EventId, Terms> tooShort(RepositoryState state, Pool pool) {
        var time = pools.time();
        var terms = new HashMap<EventId, Terms>();
        long untilThen = time.after(afterPush);
        pool.states().stream()
                .filter(waiting -> waiting.id().equals(state.event().id()) && waiting.deadline() < untilThen)
                .forEach(waiting -> terms.put(waiting.id(), waiting.terms(untilThen, time)));
        long afresh = time.after(expiry);
        authorising(pool, state.author())
                .filter(held -> held.deadline() < afresh)
                .forEach(held -> terms.put(held.voice().version().id(), held.terms(afresh, time)));
        return terms;
    }
}
