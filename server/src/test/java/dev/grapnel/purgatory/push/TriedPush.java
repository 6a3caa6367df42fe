package dev.grapnel.purgatory.push;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.AnnouncementPool;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.push.Proposals.Finding;
import dev.grapnel.store.StoreSamples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// A push to Ann's repository, written as in service A.3: `main 1>3` moves `main` from the object of ones to
/// that of threes, `0` is nothing, `v1` is a tag, `pr7` the proposal of sevens.
///
/// Ann lists Bob, who lists her back, and Cat, who is silent; Dan has a repository of his own.
final class TriedPush {
    static final String URL = "https://git.example.com/npub1ann/x.git";
    static final Identifier X = new Identifier("x");
    private static final List<String> NAMES = List.of("ann", "bob", "cat", "dan");
    private static final Map<String, RepositoryState> MADE = new ConcurrentHashMap<>();

    private final List<PushCommand> commands;
    private List<Announcement> announcements = List.of(announcing("ann", "bob", "cat"), announcing("bob", "ann"));
    private Identifier identifier = X;
    private String url = URL;
    private Standing standing = Standing.HOSTED;
    private Refs refs = refs("main=1 dev=2");
    private List<RepositoryState> served = states("ann 10 main=1 dev=2");
    private List<RepositoryState> held = List.of();
    private final Set<Oid> here = new HashSet<>(oids("1 2"));
    private final Set<Oid> brought = new HashSet<>();
    private final Set<Oid> others = new HashSet<>();
    private final Map<EventId, Finding> proposals = new HashMap<>();

    TriedPush(String commands) {
        this.commands = Arrays.stream(commands.split(",", -1))
                .map(text -> command(text.strip()))
                .toList();
        this.commands.stream().map(PushCommand::after).forEach(brought::add);
    }

    TriedPush announced(Announcement... all) {
        announcements = List.of(all);
        return this;
    }

    TriedPush called(String name) {
        identifier = new Identifier(name);
        return this;
    }

    TriedPush at(String cloneUrl) {
        url = cloneUrl;
        return this;
    }

    TriedPush standing(Standing other) {
        standing = other;
        return this;
    }

    TriedPush refs(Refs other) {
        refs = other;
        return this;
    }

    TriedPush served(String states) {
        served = states(states);
        return this;
    }

    TriedPush held(String states) {
        held = states(states);
        return this;
    }

    /// Objects in the pool besides those of the refs.
    TriedPush here(String oids) {
        here.addAll(oids(oids));
        return this;
    }

    TriedPush lost(String oids) {
        here.removeAll(oids(oids));
        return this;
    }

    /// Objects that come with the pack besides those pushed.
    TriedPush bringing(String oids) {
        brought.addAll(oids(oids));
        return this;
    }

    /// Objects that are no commits, wherever they are.
    TriedPush noCommits(String oids) {
        others.addAll(oids(oids));
        return this;
    }

    TriedPush known(String digit, Finding finding) {
        proposals.put(id(digit), finding);
        return this;
    }

    List<PushCommand> commands() {
        return commands;
    }

    Remote remote() {
        return new Remote(new RepositoryAddress(key("ann"), identifier), url, "git.example.com");
    }

    PushScene scene(Stage stage) {
        var maintainers = Maintainers.of(key("ann"), AnnouncementPool.of(X, announcements), MaintainerModel.CONFIRMED);
        var pool = objects(here);
        var governing = Governing.among(maintainers, served, held, Applicability.by(pool));
        var all = new HashSet<>(here);
        all.addAll(brought);
        return new PushScene(
                remote(),
                standing,
                governing,
                refs,
                stage == Stage.AFTER_PACK ? objects(all) : pool,
                id -> proposals.getOrDefault(id, new Finding.Unknown()));
    }

    private Objects objects(Set<Oid> present) {
        return new Objects() {
            @Override
            public boolean isHere(Oid object) {
                return present.contains(object);
            }

            @Override
            public boolean isOtherThanCommit(Oid object) {
                return present.contains(object) && others.contains(object);
            }
        };
    }

    PushJudgement judge(Stage stage) {
        return PushJudge.judge(commands, scene(stage), stage);
    }

    /// Before the pack and after it, with nothing happening in between.
    PushJudgement judge() {
        return judge(this);
    }

    /// Before the pack, and after it under what is true by then.
    PushJudgement judge(TriedPush then) {
        return switch (judge(Stage.BEFORE_PACK)) {
            case PushJudgement.Refused refused -> refused;
            case PushJudgement.Allowed first ->
                SecondVerdict.of(first, then.judge(Stage.AFTER_PACK), commands, remote());
        };
    }

    /// `ok`, `ok void`, `ok 11` by the state of that time, or the reason.
    static String shown(PushJudgement judgement) {
        return switch (judgement) {
            case PushJudgement.Refused refused -> shownText(refused.verdict().reason());
            case PushJudgement.Allowed allowed ->
                switch (allowed.branchesAndTags()) {
                    case PushJudgement.BranchesAndTags.None() -> "ok";
                    case PushJudgement.BranchesAndTags.NoChange() -> "ok void";
                    case PushJudgement.BranchesAndTags.Realising(var state, var isProvisional) ->
                        "ok " + state.event().createdAt() + (isProvisional ? " perhaps" : "");
                };
        };
    }

    /// With names for keys.
    static String shownText(String text) {
        var named = text;
        for (var name : NAMES) {
            named = named.replace(new Npub(key(name)).text(), "<" + name + ">");
        }
        return named;
    }

    static PublicKey key(String name) {
        return StoreSamples.author(NAMES.indexOf(name));
    }

    /// An announcement without roles that lists others.
    static Announcement announcing(String name, String... listed) {
        var maintainers = new ArrayList<>(List.of("maintainers"));
        for (var other : listed) {
            maintainers.add(key(other).toHex());
        }
        return announcing(name, List.of(maintainers));
    }

    static Announcement announcing(String name, List<List<String>> tags) {
        var all = new ArrayList<>(tags);
        all.add(List.of("d", "x"));
        return Announcement.parse(StoreSamples.event(NAMES.indexOf(name), Kinds.ANNOUNCEMENT, 5, all, ""))
                .require();
    }

    /// Several, each `ann 11 main=3 v1=5`, with semicolons between.
    static List<RepositoryState> states(String text) {
        return Arrays.stream(text.split("; ", -1))
                .map(String::strip)
                .filter(state -> !state.isEmpty() && !state.equals("-"))
                .map(TriedPush::state)
                .toList();
    }

    static RepositoryState state(String text) {
        return MADE.computeIfAbsent(text, TriedPush::sign);
    }

    private static RepositoryState sign(String text) {
        var words = text.split(" ", -1);
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", "x"));
        for (int i = 2; i < words.length; i++) {
            var entry = words[i].split("=", 2);
            tags.add(List.of(entry[0].equals("HEAD") ? "HEAD" : ref(entry[0]), value(entry[1])));
        }
        return RepositoryState.parse(
                        StoreSamples.event(NAMES.indexOf(words[0]), Kinds.STATE, Long.parseLong(words[1]), tags, ""))
                .require();
    }

    private static String value(String text) {
        if (text.startsWith("@")) {
            return "ref: " + ref(text.substring(1));
        }
        return text.length() == 1 ? text.repeat(Oid.DIGITS) : text;
    }

    static Refs refs(String text) {
        var values = new TreeMap<RefName, RefValue>();
        for (var entry : text.split(" ", -1)) {
            if (!entry.equals("-")) {
                var parts = entry.split("=", 2);
                values.put(new RefName(ref(parts[0])), new RefValue(oid(parts[1]), null));
            }
        }
        return new Refs(values, Refs.DEFAULT_BRANCH);
    }

    private static PushCommand command(String text) {
        var parts = text.split(" ", 2);
        var oids = parts[1].split(">", 2);
        var ref = ref(parts[0]);
        return new PushCommand(ref, Bytes.wrap(ref.getBytes(StandardCharsets.UTF_8)), oid(oids[0]), oid(oids[1]));
    }

    static String ref(String name) {
        if (name.startsWith("refs/") || name.equals("HEAD")) {
            return name;
        }
        if (name.matches("pr[0-9a-f]")) {
            return "refs/nostr/" + id(name.substring(2));
        }
        return (name.matches("v\\d.*") ? RefName.TAGS : RefName.BRANCHES) + name;
    }

    static EventId id(String digit) {
        return EventId.parse(digit.repeat(64)).require();
    }

    static Oid oid(String digit) {
        return Oid.parse(digit.repeat(Oid.DIGITS)).require();
    }

    private static List<Oid> oids(String text) {
        return Arrays.stream(text.split(" ", -1))
                .filter(word -> !word.isEmpty() && !word.equals("-"))
                .map(TriedPush::oid)
                .toList();
    }
}
