package dev.grapnel.purgatory;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.store.row.Held;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// What the acceptance policy wants done with an event. Effects are carried out if the main act is, in the
/// same transaction.
public sealed interface Verdict {
    /// It may be served.
    record Serve(List<Effect> effects) implements Verdict {
        public Serve {
            effects = List.copyOf(effects);
        }
    }

    /// It must wait.
    record Hold(Held row, List<Effect> effects) implements Verdict {
        public Hold {
            effects = List.copyOf(effects);
        }
    }

    /// It waits already, and this is what becomes of it.
    record Keep(List<Effect> effects) implements Verdict {
        public Keep {
            effects = List.copyOf(effects);
        }
    }

    /// It is not taken.
    ///
    /// @param cause for other parts of the server, which must not read texts
    record Refuse(Refusal refusal, Cause cause, List<Effect> effects) implements Verdict {
        public Refuse {
            effects = List.copyOf(effects);
        }
    }

    /// It is not taken unless its git data is here: then it need not wait.
    record RefuseWaiting(Refusal refusal, Cause cause) implements Verdict {}

    /// Repositories must be there before it can be judged.
    ///
    /// @param repositories what each shall have in it, if that is still there
    record Prepare(Map<RepositoryAddress, Ground> repositories) implements Verdict {
        public Prepare {
            repositories = Map.copyOf(repositories);
        }
    }

    /// Served, and nothing else.
    static Verdict serve() {
        return new Serve(List.of());
    }

    /// Refused, and nothing else.
    static Verdict refuse(Refusal refusal, Cause cause) {
        return new Refuse(refusal, cause, List.of());
    }

    /// Refused, for a reason nothing can change.
    static Verdict refuse(Refusal refusal) {
        return refuse(refusal, Cause.FINAL);
    }

    /// These repositories first, empty ones.
    static Verdict prepare(Collection<RepositoryAddress> repositories) {
        return new Prepare(repositories.stream().distinct().collect(toMap(identity(), _ -> Ground.EMPTY)));
    }

    /// First a repository as it was before it went offline.
    static Verdict restore(RepositoryAddress repository) {
        return new Prepare(Map.of(repository, Ground.RESTORED));
    }
}
