package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.StoreSamples;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// People, their repositories and what they publish about them. Everything is signed, dated by the clock, and the same
/// for the same seed.
final class SimEvents {
    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);
    private static final int REACTION = 7;
    private static final int NOTE = 1;
    private static final int LABEL = 1985;
    private static final int ARTICLE = 30_023;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final List<String> servers;
    private final List<RemoteUrl> relays;
    private final int people;
    private final List<Repo> repos = new ArrayList<>();
    private int identifiers;

    /// A repository as its owner sees it.
    static final class Repo {
        final int owner;
        final String identifier;
        List<String> servers;
        List<RemoteUrl> relays;
        final List<Integer> invited = new ArrayList<>();
        final List<Integer> confirmed = new ArrayList<>();
        final List<Event> roots = new ArrayList<>();
        final List<Event> members = new ArrayList<>();
        final List<Event> states = new ArrayList<>();
        final List<Event> articles = new ArrayList<>();

        Repo(int owner, String identifier, List<String> servers, List<RemoteUrl> relays) {
            this.owner = owner;
            this.identifier = identifier;
            this.servers = servers;
            this.relays = relays;
        }

        String coordinate() {
            return Kinds.ANNOUNCEMENT + ":" + StoreSamples.author(owner) + ":" + identifier;
        }
    }

    /// @param servers domains of GRASP servers that announcements may name
    /// @param relays others that they may name
    /// @param people how many there are
    SimEvents(InstantSource clock, RandomGenerator random, List<String> servers, List<RemoteUrl> relays, int people) {
        this.clock = clock;
        this.random = random;
        this.servers = List.copyOf(servers);
        this.relays = List.copyOf(relays);
        this.people = people;
    }

    List<Repo> repos() {
        return List.copyOf(repos);
    }

    int person() {
        return random.nextInt(people);
    }

    // ---- repositories

    /// A new repository of somebody, at some servers and relays.
    Repo repository() {
        return repository(person(), some(servers, 1, 3), some(relays, 0, 4));
    }

    Repo repository(int owner, List<String> atServers, List<RemoteUrl> atRelays) {
        var names = List.of("project", "tool:kit", "two words", "grüße", "x");
        var name = names.get(random.nextInt(names.size())) + "-" + identifiers++;
        var repo = new Repo(owner, name, atServers, atRelays);
        repos.add(repo);
        return repo;
    }

    /// So many of a list, at random.
    <T> List<T> some(List<T> all, int least, int most) {
        int count = Math.min(all.size(), least + random.nextInt(most - least + 1));
        var rest = new ArrayList<>(all);
        var taken = new ArrayList<T>();
        while (taken.size() < count) {
            taken.add(rest.remove(random.nextInt(rest.size())));
        }
        return taken;
    }

    /// Its owner's announcement, as things are now.
    Event announce(Repo repo) {
        return announcement(repo, repo.owner, repo.invited);
    }

    /// The answer of somebody who was invited.
    Event accept(Repo repo, int maintainer) {
        repo.confirmed.add(maintainer);
        return announcement(repo, maintainer, List.of(repo.owner));
    }

    private Event announcement(Repo repo, int author, List<Integer> maintainers) {
        var npub = new Npub(StoreSamples.author(author)).toString();
        var clone = new ArrayList<>(List.of("clone"));
        repo.servers.forEach(server -> clone.add("https://" + server + "/" + npub + "/" + escaped(repo) + ".git"));
        var names = new ArrayList<>(List.of("relays"));
        repo.servers.forEach(server -> names.add("wss://" + server));
        repo.relays.forEach(relay -> names.add(relay.text()));
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", repo.identifier));
        tags.add(List.of("name", repo.identifier + " version " + random.nextInt(1_000_000)));
        tags.add(clone);
        tags.add(names);
        if (!maintainers.isEmpty()) {
            tags.add(Stream.concat(
                            Stream.of("maintainers"),
                            maintainers.stream()
                                    .map(person -> StoreSamples.author(person).toHex()))
                    .toList());
        }
        return sign(author, Kinds.ANNOUNCEMENT, tags, "");
    }

    /// Its owner moves it away from one of its servers.
    Event withdraw(Repo repo) {
        if (repo.servers.size() > 1) {
            var rest = new ArrayList<>(repo.servers);
            rest.remove(random.nextInt(rest.size()));
            repo.servers = List.copyOf(rest);
        }
        return announce(repo);
    }

    /// Its owner takes it back, all of it.
    Event abandon(Repo repo) {
        return sign(repo.owner, Kinds.DELETION, List.of(List.of("a", repo.coordinate())), "");
    }

    private static String escaped(Repo repo) {
        return PercentEncoding.encode(repo.identifier);
    }

    /// Where somebody's branch is now; the commit is new.
    Event state(Repo repo, int author) {
        var state = sign(
                author,
                Kinds.STATE,
                List.of(
                        List.of("d", repo.identifier),
                        List.of("refs/heads/main", commit()),
                        List.of("HEAD", "ref: refs/heads/main")),
                "");
        repo.states.add(state);
        return state;
    }

    private String commit() {
        return "%016x%016x%08x".formatted(random.nextLong(), random.nextLong(), random.nextInt());
    }

    /// The objects an event names.
    static List<Oid> objects(Event event) {
        return Stream.concat(event.tags().values("refs/heads/main").stream(), event.tags().values("c").stream())
                .flatMap(value -> Oid.parse(value).find().stream())
                .toList();
    }

    // ---- conversations

    Event issue(Repo repo) {
        return root(repo, Kinds.ISSUE, List.of(List.of("subject", "issue")));
    }

    Event patch(Repo repo) {
        return root(repo, Kinds.PATCH, List.of(List.of("t", "root")));
    }

    Event pullRequest(Repo repo) {
        var clone = new ArrayList<>(List.of("clone"));
        repo.servers.forEach(server -> clone.add("https://" + server + "/pr.git"));
        return root(repo, Kinds.PULL_REQUEST, List.of(List.of("c", commit()), clone));
    }

    private Event root(Repo repo, int kind, List<List<String>> more) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("a", repo.coordinate()));
        tags.add(List.of("p", StoreSamples.author(repo.owner).toHex()));
        tags.addAll(more);
        var root = sign(person(), kind, tags, "words " + random.nextLong());
        repo.roots.add(root);
        return root;
    }

    /// NIP-22: on a root or on another comment.
    Event comment(Repo repo, Event root, Event parent) {
        var comment = sign(
                person(),
                Kinds.COMMENT,
                List.of(
                        List.of("E", root.id().toHex()),
                        List.of("K", Integer.toString(root.kind())),
                        List.of("P", root.author().toHex()),
                        List.of("e", parent.id().toHex()),
                        List.of("k", Integer.toString(parent.kind())),
                        List.of("p", parent.author().toHex())),
                "comment " + random.nextLong());
        repo.members.add(comment);
        return comment;
    }

    /// One that names only what it answers, as layer 4 is for.
    Event reply(Repo repo, Event parent) {
        var reply =
                sign(person(), Kinds.COMMENT, List.of(List.of("e", parent.id().toHex())), "reply " + random.nextLong());
        repo.members.add(reply);
        return reply;
    }

    Event quote(Event quoted) {
        return sign(person(), NOTE, List.of(List.of("q", quoted.id().toHex())), "quote " + random.nextLong());
    }

    /// On the repository itself.
    Event label(Repo repo) {
        var label = sign(
                person(),
                LABEL,
                List.of(List.of("L", "sim"), List.of("l", "good", "sim"), List.of("a", repo.coordinate())),
                "");
        repo.members.add(label);
        return label;
    }

    /// Something addressable on a root; a later version takes its place.
    Event article(Repo repo, Event root) {
        var article = sign(
                person(),
                ARTICLE,
                List.of(
                        List.of("d", "page " + random.nextInt(2) + " of " + repo.identifier),
                        List.of("e", root.id().toHex())),
                "text " + random.nextLong());
        repo.articles.add(article);
        return article;
    }

    /// On whatever version of something addressable.
    Event remark(Repo repo, Event article) {
        var remark = sign(
                person(),
                Kinds.COMMENT,
                List.of(List.of("a", article.findAddress().orElseThrow().toString())),
                "remark " + random.nextLong());
        repo.members.add(remark);
        return remark;
    }

    Event status(Event root) {
        int kind = Kinds.STATUS_OPEN + random.nextInt(4);
        return sign(person(), kind, List.of(List.of("e", root.id().toHex())), "");
    }

    Event reaction(Event to) {
        return sign(person(), REACTION, List.of(List.of("e", to.id().toHex())), "+");
    }

    /// By its author, of one event.
    Event deletion(Event event) {
        return sign(
                numberOf(event), Kinds.DELETION, List.of(List.of("e", event.id().toHex())), "");
    }

    /// By its author, of all versions.
    Event deletionOfAddress(Event event) {
        return sign(
                numberOf(event),
                Kinds.DELETION,
                List.of(List.of("a", event.findAddress().orElseThrow().toString())),
                "");
    }

    /// Something that concerns no repository.
    Event junk() {
        return sign(person(), NOTE, List.of(), "junk " + random.nextLong());
    }

    private int numberOf(Event event) {
        for (int person = 0; person < people; person++) {
            if (StoreSamples.author(person).equals(event.author())) {
                return person;
            }
        }
        throw new IllegalArgumentException("nobody here signed " + event.id());
    }

    Event sign(int author, int kind, List<List<String>> tags, String content) {
        return new EventDraft(clock.instant().getEpochSecond(), kind, tags, content)
                .sign(StoreSamples.secretKey(author), NO_AUXILIARY);
    }

    // ---- whatever comes

    /// What somebody does next, about a repository that is announced.
    Event next(Repo repo) {
        return switch (random.nextInt(48)) {
            case 0 -> {
                repo.relays = some(relays, 0, 4);
                yield announce(repo);
            }
            case 1 -> {
                int person = person();
                if (person != repo.owner && !repo.invited.contains(person)) {
                    repo.invited.add(person);
                }
                yield announce(repo);
            }
            case 2 ->
                repo.invited.stream()
                        .filter(person -> !repo.confirmed.contains(person))
                        .findFirst()
                        .map(person -> accept(repo, person))
                        .orElseGet(() -> issue(repo));
            case 3 -> withdraw(repo);
            case 4 -> random.nextInt(4) == 0 ? abandon(repo) : announce(repo);
            case 5, 6, 7, 8, 9 -> state(repo, signer(repo));
            case 10, 11, 12 -> pullRequest(repo);
            case 13, 14 -> patch(repo);
            case 15, 16, 17, 18, 19, 20 -> issue(repo);
            case 21, 22 -> label(repo);
            case 23 -> junk();
            case 24, 25 -> about(repo);
            default -> repo.roots.isEmpty() ? issue(repo) : talk(repo);
        };
    }

    /// A version of something addressable, what somebody says to it, or its end.
    private Event about(Repo repo) {
        if (repo.roots.isEmpty()) {
            return issue(repo);
        }
        if (repo.articles.isEmpty()) {
            return article(repo, one(repo.roots));
        }
        return switch (random.nextInt(5)) {
            case 0, 1 -> article(repo, one(repo.roots));
            case 2, 3 -> remark(repo, one(repo.articles));
            default -> deletionOfAddress(one(repo.articles));
        };
    }

    private int signer(Repo repo) {
        return repo.confirmed.isEmpty() || random.nextBoolean() ? repo.owner : one(repo.confirmed);
    }

    private Event talk(Repo repo) {
        var root = one(repo.roots);
        var any = repo.members.isEmpty() || random.nextInt(3) == 0 ? root : one(repo.members);
        return switch (random.nextInt(10)) {
            case 0 -> status(root);
            case 1 -> reaction(any);
            case 2 -> quote(any);
            case 3 -> deletion(any);
            case 4 -> reply(repo, any);
            default -> comment(repo, root, any);
        };
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
