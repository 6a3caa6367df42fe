package dev.grapnel.bench.push;

import dev.grapnel.bench.git.Push;
import dev.grapnel.bench.purgatory.Scene;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.nip19.Npub;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/// A repository of one owner, or of several who list each other; the first of them signs all states.
final class SignedRepository {
    static final String MAIN = "refs/heads/main";

    /// Each state is one second younger than the one before, so they must begin long ago.
    private static final Duration PAST = Duration.ofDays(1);

    private final String identifier;
    private final List<Integer> owners;
    private final SequencedMap<String, String> refs = new LinkedHashMap<>();
    private long second = Instant.now().minus(PAST).getEpochSecond();

    /// @param first the number of its first owner; the others have those that follow
    /// @param tip of its branch `main`
    SignedRepository(String identifier, int first, int owners, String tip) {
        this.identifier = identifier;
        this.owners = IntStream.range(first, first + owners).boxed().toList();
        refs.put(MAIN, tip);
    }

    /// One of each owner.
    List<Event> announcements() {
        return owners.stream().map(this::announcement).toList();
    }

    private Event announcement(int owner) {
        var others = owners.stream().filter(other -> other != owner).toList();
        return Scene.announcement(owner, identifier, second, others);
    }

    /// The state of the refs as they are.
    Event state() {
        return Scene.state(owners.getFirst(), identifier, ++second, refs);
    }

    /// The state that allows a push.
    Event stateFor(Push push) {
        refs.put(push.ref(), push.after());
        return state();
    }

    /// Where the first owner's repository is, below the server.
    String path() {
        return paths().getFirst();
    }

    /// Where each owner's repository is.
    List<String> paths() {
        return owners.stream()
                .map(owner -> new Npub(Scene.person(owner)) + "/" + identifier)
                .toList();
    }
}
