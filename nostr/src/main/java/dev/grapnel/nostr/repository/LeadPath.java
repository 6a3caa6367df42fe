package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Whose view of the maintainers counts: from the owner along the declared leads (service 5.1.3).
public sealed interface LeadPath {
    /// Longest path that is followed.
    int LENGTH_MAX = 256;

    /// Everybody whose announcement was looked for, the owner first.
    List<PublicKey> nodes();

    /// The last node is the root.
    record Complete(List<PublicKey> nodes) implements LeadPath {
        public Complete {
            nodes = List.copyOf(nodes);
        }

        /// Whose view counts.
        public PublicKey root() {
            return nodes.getLast();
        }
    }

    /// The path leads nowhere; the reason is fit to be shown.
    record Broken(List<PublicKey> nodes, String reason) implements LeadPath {
        public Broken {
            nodes = List.copyOf(nodes);
        }
    }

    /// Follows the leads.
    static LeadPath follow(PublicKey owner, RosterPool pool) {
        var seen = new LinkedHashSet<PublicKey>();
        var next = owner;
        while (true) {
            if (seen.contains(next)) {
                return broken(seen, "lead cycle");
            }
            if (seen.size() == LENGTH_MAX) {
                return broken(seen, "lead path too long");
            }
            seen.add(next);
            var roster = pool.find(next);
            if (roster.isEmpty()) {
                return broken(
                        seen, isOwner(seen) ? "no announcement" : named("lead ", next, " has no announcement here"));
            }
            switch (step(roster.get(), isOwner(seen))) {
                case Step.On(var lead) -> next = lead;
                case Step.End() -> {
                    return new Complete(List.copyOf(seen));
                }
                case Step.Lost(var reason) -> {
                    return broken(seen, reason);
                }
            }
        }
    }

    /// The owner alone, for the model that knows no leads.
    static LeadPath ofOwner(PublicKey owner, RosterPool pool) {
        return pool.find(owner).isPresent()
                ? new Complete(List.of(owner))
                : new Broken(List.of(owner), "no announcement");
    }

    private static Step step(Roster roster, boolean ofOwner) {
        var leads = roster.leads();
        if (leads.size() > 1) {
            return new Step.Lost(named("several leads at ", roster.author(), ""));
        }
        if (!leads.isEmpty()) {
            return leads.getFirst().equals(roster.author()) ? new Step.End() : new Step.On(leads.getFirst());
        }
        if (!ofOwner) {
            return new Step.Lost(named("lead ", roster.author(), " does not declare itself lead"));
        }
        return roster.isActive() ? new Step.End() : new Step.Lost("owner has ended its own role");
    }

    private static boolean isOwner(SequencedSet<PublicKey> seen) {
        return seen.size() == 1;
    }

    private static Broken broken(SequencedSet<PublicKey> seen, String reason) {
        return new Broken(List.copyOf(seen), reason);
    }

    private static String named(String before, PublicKey key, String after) {
        return before + new Npub(key) + after;
    }
}

/// What one announcement says about the way on.
sealed interface Step {
    record On(PublicKey lead) implements Step {}

    record End() implements Step {}

    record Lost(String reason) implements Step {}
}
