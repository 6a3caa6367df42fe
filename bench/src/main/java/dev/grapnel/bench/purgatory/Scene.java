package dev.grapnel.bench.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

/// Signed events about numbered repositories of numbered people.
public final class Scene {
    /// The service that announcements list.
    public static final String DOMAIN = "git.example.com";

    /// The date of everything that is there from the beginning.
    static final long BEGIN = 1_780_000_000L;

    static final int PEOPLE = 10_000;

    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);
    private static final int COMMENT = 1111;

    private static final Map<Integer, SecretKey> KEYS = new ConcurrentHashMap<>();

    private Scene() {}

    static SecretKey key(int person) {
        return KEYS.computeIfAbsent(
                person, _ -> SecretKey.parse("%064x".formatted(person + 1)).require());
    }

    /// Somebody's key.
    public static PublicKey person(int number) {
        return key(number).publicKey();
    }

    static int ownerOf(int repository) {
        return repository % PEOPLE;
    }

    static RepositoryAddress address(int repository) {
        return new RepositoryAddress(person(ownerOf(repository)), identifier(repository));
    }

    static Identifier identifier(int repository) {
        return new Identifier("repository-" + repository);
    }

    static Event sign(int author, int kind, long second, List<List<String>> tags, String content) {
        return new EventDraft(second, kind, tags, content).sign(key(author), NO_AUXILIARY);
    }

    /// An announcement that lists the server, and people as maintainers.
    static Event announcement(int repository, long second, List<Integer> maintainers) {
        return announcement(ownerOf(repository), identifier(repository).text(), second, maintainers);
    }

    /// The same of an identifier that several owners may have.
    public static Event announcement(int owner, String identifier, long second, List<Integer> maintainers) {
        return announcement(owner, identifier, second, maintainers, DOMAIN, List.of());
    }

    /// An announcement that lists the server and other places where its data is.
    public static Event announcement(int owner, String identifier, long second, String elsewhere) {
        return announcement(owner, identifier, second, List.of(), DOMAIN, List.of(elsewhere));
    }

    /// An announcement of somebody whose repository is elsewhere.
    static Event reference(int owner, String identifier, long second, List<Integer> maintainers) {
        return announcement(owner, identifier, second, maintainers, "elsewhere.example.com", List.of());
    }

    private static Event announcement(
            int owner,
            String identifier,
            long second,
            List<Integer> maintainers,
            String domain,
            List<String> elsewhere) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        tags.add(List.of("name", "Repository " + identifier));
        tags.add(List.of("description", "What this one is about, in one sentence of usual length."));
        var urls = new ArrayList<>(List.of("clone"));
        urls.add("https://" + domain + "/" + new Npub(person(owner)) + "/" + identifier + ".git");
        urls.addAll(elsewhere);
        tags.add(urls);
        tags.add(List.of("relays", "wss://" + domain, "wss://relay.example.org"));
        if (!maintainers.isEmpty()) {
            var named = new ArrayList<>(List.of("maintainers"));
            maintainers.forEach(person -> named.add(person(person).toString()));
            tags.add(named);
        }
        return sign(owner, Kinds.ANNOUNCEMENT, second, tags, "");
    }

    /// A state of ten branches and tags.
    static Event state(int author, int repository, long second) {
        var refs = new LinkedHashMap<String, String>();
        for (int i = 0; i < 10; i++) {
            var ref = (i < 5 ? "refs/heads/branch-" : "refs/tags/v") + i;
            refs.put(ref, "%040x".formatted(second * 31 + repository + i));
        }
        return state(author, identifier(repository).text(), second, refs);
    }

    /// A state of these refs, whose `HEAD` is the first of them.
    public static Event state(int author, String identifier, long second, SequencedMap<String, String> refs) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        refs.forEach((ref, commit) -> tags.add(List.of(ref, commit)));
        tags.add(List.of("HEAD", "ref: " + refs.firstEntry().getKey()));
        return sign(author, Kinds.STATE, second, tags, "");
    }

    static Event pullRequest(int author, int repository, long second) {
        return sign(
                author,
                Kinds.PULL_REQUEST,
                second,
                List.of(
                        List.of("a", address(repository).toString()),
                        List.of("p", person(ownerOf(repository)).toString()),
                        List.of("subject", "A change of usual size"),
                        List.of("c", "%040x".formatted(second * 37 + repository))),
                "What it changes, and why.");
    }

    /// A comment on a repository.
    static Event comment(int author, int repository, long second) {
        return sign(
                author,
                COMMENT,
                second,
                List.of(
                        List.of("A", address(repository).toString()),
                        List.of("K", "30617"),
                        List.of("P", person(ownerOf(repository)).toString())),
                "What somebody has to say about it, number " + second + ".");
    }

    /// A note that refers to what nobody has here.
    static Event unrelated(int author, long second) {
        return sign(
                author,
                1,
                second,
                List.of(
                        List.of("e", "%064x".formatted(second)),
                        List.of("e", "%064x".formatted(second + 7_777)),
                        List.of("a", "30617:" + person(author) + ":somewhere-else-" + second)),
                "What somebody has to say about something else.");
    }
}
