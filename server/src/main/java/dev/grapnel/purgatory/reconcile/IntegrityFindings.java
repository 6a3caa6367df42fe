package dev.grapnel.purgatory.reconcile;

import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.reconcile.Divergence.Kind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What comparisons of all repositories have found, for those who watch (purgatory 10): each finding in the log, the
/// numbers of the last whole comparison for whoever asks.
public final class IntegrityFindings {
    private static final Logger LOG = LoggerFactory.getLogger(IntegrityFindings.class);

    /// A disk that is gone must not fill the log as well.
    private static final int LINES_MAX = 1_000;

    private volatile Map<Kind, Integer> last = Map.of();

    /// What the last comparison found that looked at all objects.
    private volatile int lastOfObjects;

    /// How many of a kind the last comparison found.
    public int count(Kind kind) {
        return last.getOrDefault(kind, 0);
    }

    /// Begins to count; what was counted before is told until this one is published.
    public Counting begin() {
        return new Counting();
    }

    /// One comparison. Used by one thread.
    public final class Counting {
        private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        private int total;

        private Counting() {}

        /// Something was found.
        public void note(Divergence divergence) {
            var reason = divergence instanceof Divergence.Unreadable unreadable
                    ? " reason=" + SafeText.of(unreadable.reason())
                    : "";
            note(divergence.repository(), divergence.kind(), divergence.ref(), reason);
        }

        /// Something was found.
        ///
        /// @param ref one that is concerned, or a star
        public void note(RepositoryAddress repository, Kind kind, String ref) {
            note(repository, kind, ref, "");
        }

        private void note(RepositoryAddress repository, Kind kind, String ref, String more) {
            counts.merge(kind, 1, Integer::sum);
            total++;
            if (total <= LINES_MAX) {
                LOG.warn(
                        "integrity.finding owner={} identifier={} kind={} ref={}{}",
                        repository.owner(),
                        repository.identifier(),
                        kind.name().toLowerCase(Locale.ROOT),
                        SafeText.of(ref),
                        more);
            }
        }

        /// How many were found.
        public int total() {
            return total;
        }

        /// All repositories were looked at.
        ///
        /// @param isDeep whether all objects were, too; otherwise something new is known only of those that
        ///     refs name
        public void publish(boolean isDeep) {
            if (total > LINES_MAX) {
                LOG.warn("integrity.findings not all told total={} told={}", total, LINES_MAX);
            }
            int objects = counts.getOrDefault(Kind.OBJECTS, 0);
            if (isDeep) {
                lastOfObjects = objects;
            }
            counts.put(Kind.OBJECTS, Math.max(objects, lastOfObjects));
            last = Collections.unmodifiableMap(new EnumMap<>(counts));
        }
    }
}
