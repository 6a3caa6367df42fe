package dev.grapnel.bench.sync;

import dev.grapnel.bench.purgatory.Place;
import dev.grapnel.bench.purgatory.Scene;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Repositories of a server, each announced at some of the relays, and signed events about them.
///
/// @param relays addresses of all relays
/// @param relaysEach how many of them each repository names, one after the other
record Followed(int repos, List<String> relays, int relaysEach) {
    /// Everything before the measurement is older than this.
    static final long BEGIN = 1_780_000_000L;

    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);
    private static final int COMMENT = 1111;
    private static final int REACTION = 7;
    private static final int STATUS_CLOSED = 1632;
    private static final int PEOPLE = 64;
    private static final List<SecretKey> KEYS = keys();

    private static List<SecretKey> keys() {
        var keys = new ArrayList<SecretKey>();
        for (int person = 0; person < PEOPLE; person++) {
            keys.add(SecretKey.parse("%064x".formatted(person + 1)).require());
        }
        return List.copyOf(keys);
    }

    private static SecretKey key(int person) {
        return KEYS.get(Math.floorMod(person, PEOPLE));
    }

    /// Numbers of the relays that a repository names.
    List<Integer> relaysOf(int repo) {
        var named = new ArrayList<Integer>();
        for (int i = 0; i < relaysEach; i++) {
            named.add((repo * relaysEach + i) % relays.size());
        }
        return named;
    }

    /// Whether a repository names a relay.
    boolean isAt(int repo, int relay) {
        return Math.floorMod(relay - repo * relaysEach, relays.size()) < relaysEach;
    }

    RepositoryAddress address(int repo) {
        return new RepositoryAddress(key(repo).publicKey(), new Identifier("repository-" + repo));
    }

    private static Event sign(int author, int kind, long second, List<List<String>> tags, String content) {
        return new EventDraft(second, kind, tags, content).sign(key(author), NO_AUXILIARY);
    }

    private Event announcement(int repo) {
        var clone = "https://" + Scene.DOMAIN + "/" + new Npub(key(repo).publicKey()) + "/repository-" + repo + ".git";
        var named = new ArrayList<>(List.of("relays", "wss://" + Scene.DOMAIN));
        relaysOf(repo).forEach(relay -> named.add(relays.get(relay)));
        return sign(
                repo,
                Kinds.ANNOUNCEMENT,
                BEGIN,
                List.of(
                        List.of("d", "repository-" + repo),
                        List.of("name", "Number " + repo),
                        List.of("clone", clone),
                        named),
                "");
    }

    /// A root event of a repository.
    Event issue(int author, int repo, long second) {
        var tags = List.of(
                List.of("a", address(repo).toString()),
                List.of("p", key(repo).publicKey().toString()),
                List.of("subject", "Something is not as it should be"));
        return sign(
                author, Kinds.ISSUE, second, tags, "What happens, what should happen, and how to see it. " + second);
    }

    /// An answer to an issue, as NIP-22 has it.
    Event comment(int author, Event issue, long second) {
        var id = issue.id().toString();
        var person = issue.author().toString();
        var tags = List.of(
                List.of("E", id),
                List.of("K", Integer.toString(Kinds.ISSUE)),
                List.of("P", person),
                List.of("e", id),
                List.of("k", Integer.toString(Kinds.ISSUE)),
                List.of("p", person));
        return sign(
                author, COMMENT, second, tags, "What somebody has to say about it, in a sentence or two. " + second);
    }

    /// Somebody closes an issue.
    Event status(int author, Event issue, long second) {
        var tags = List.of(
                List.of("e", issue.id().toString(), "", "root"),
                List.of("p", issue.author().toString()));
        return sign(author, STATUS_CLOSED, second, tags, "Done. " + second);
    }

    /// Somebody likes a comment.
    Event reaction(int author, Event comment, long second) {
        var tags = List.of(
                List.of("e", comment.id().toString()),
                List.of("p", comment.author().toString()),
                List.of("k", Integer.toString(COMMENT)));
        return sign(author, REACTION, second, tags, "+");
    }

    /// Fills the store of a server that does not run: announcements that are served, and what is there of them.
    void fill(Path server, List<Event> before) throws IOException {
        var now = Instant.now();
        try (var place = new Place(server.resolve("data").resolve("relay"))) {
            place.store()
                    .write(Urgency.WAITING, 0, transaction -> {
                        for (int repo = 0; repo < repos; repo++) {
                            transaction.put(Standing.hosted(address(repo), now));
                            transaction.save(announcement(repo));
                        }
                        before.forEach(transaction::save);
                        return true;
                    })
                    .join();
        }
    }
}
