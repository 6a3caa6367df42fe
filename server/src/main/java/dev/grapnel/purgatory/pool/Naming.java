package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Roster;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whom others name, listed or as moderator, in announcements that are served or held: reason enough to keep a
/// reference (service 4.4.4). A held reference counts only if it is here for the sake of something that is served or
/// asks for a repository: otherwise references that name each other would keep each other here for ever.
///
/// Asked about many people at once, because one announcement may concern all references of an identifier.
final class Naming {
    private Naming() {}

    /// Those among some people whom somebody else names in an announcement that is served.
    static Set<PublicKey> byServed(Announced[] announced, Collection<PublicKey> people) {
        var unnamed = new HashSet<>(people);
        for (var entry : announced) {
            if (!entry.isMuted() && !unnamed.isEmpty()) {
                entry.served().ifPresent(voice -> unnamed.removeAll(namedBy(voice.roster(), unnamed)));
            }
        }
        return without(unnamed, people);
    }

    /// Those whom somebody else names in any announcement that counts.
    static Set<PublicKey> byAny(Announced[] announced, Collection<PublicKey> people) {
        var reasons = new ArrayDeque<Roster>();
        var unnamed = new HashSet<>(people);
        for (var entry : announced) {
            if (!entry.isMuted()) {
                entry.served().ifPresent(voice -> reasons.add(voice.roster()));
                if (entry.isHeldHosted() && !unnamed.contains(entry.author())) {
                    entry.held().ifPresent(held -> reasons.add(held.voice().roster()));
                }
            }
        }
        reasons.forEach(roster -> unnamed.removeAll(namedBy(roster, unnamed)));
        if (!unnamed.isEmpty()) {
            follow(reasons, references(announced), unnamed);
        }
        return without(unnamed, people);
    }

    private static Map<PublicKey, Roster> references(Announced[] announced) {
        var references = new HashMap<PublicKey, Roster>();
        for (var entry : announced) {
            if (!entry.isMuted() && !entry.isHeldHosted()) {
                entry.held()
                        .ifPresent(held ->
                                references.put(entry.author(), held.voice().roster()));
            }
        }
        return references;
    }

    /// What a reason names is a reason itself. Nobody needs its own reference to be named: whoever comes back to
    /// somebody that way has been there before.
    private static void follow(Queue<Roster> reasons, Map<PublicKey, Roster> references, Set<PublicKey> unnamed) {
        @Nullable Roster reason = reasons.poll();
        while (reason != null && !unnamed.isEmpty()) {
            unnamed.removeAll(namedBy(reason, unnamed));
            for (var author : namedBy(reason, references.keySet())) {
                reasons.add(references.remove(author));
            }
            reason = reasons.poll();
        }
    }

    /// Whichever is shorter is looked through.
    private static Set<PublicKey> namedBy(Roster roster, Set<PublicKey> people) {
        var named = new HashSet<PublicKey>();
        int names = roster.listed().size() + roster.moderators().size();
        if (people.size() < names) {
            people.stream().filter(roster::names).forEach(named::add);
        } else {
            Stream.of(roster.listed(), roster.moderators())
                    .forEach(some -> some.stream().filter(people::contains).forEach(named::add));
        }
        named.remove(roster.author());
        return named;
    }

    private static Set<PublicKey> without(Set<PublicKey> unnamed, Collection<PublicKey> people) {
        var named = new HashSet<>(people);
        named.removeAll(unnamed);
        return named;
    }
}
