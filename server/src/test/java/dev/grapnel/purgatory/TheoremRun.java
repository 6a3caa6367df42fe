package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Chooses what is done to a server: one history of events, pushes, time and restarts.
final class TheoremRun {
    private static final Oid LOST = Oid.parse("ab".repeat(20)).require();

    private final RandomGenerator random;
    private final MaintainerModel model;
    private final Path directory;
    private final TheoremObjects objects;
    private final List<Made> made = new ArrayList<>();

    TheoremRun(long seed, Path directory, TheoremObjects objects) {
        this.random = new SplittableRandom(seed);
        this.model = seed % 5 == 0 ? MaintainerModel.RECURSIVE : MaintainerModel.CONFIRMED;
        this.directory = directory;
        this.objects = objects;
    }

    /// @throws AssertionError with the story up to the first step after which something is not as it must be, and
    ///     with the part of it that suffices
    void run(int steps) throws IOException, InterruptedException {
        try (var stage = new TheoremStage(model, directory, objects)) {
            try {
                begin(stage);
                for (int step = 0; step < steps; step++) {
                    step(stage);
                    stage.check();
                }
            } catch (AssertionError | RuntimeException e) {
                var shorter = new TheoremReplay(model, directory, objects).shorten(stage.deeds());
                throw new AssertionError(
                        e.getMessage() + "\n" + stage.story() + "\n\nThis much suffices:\n"
                                + (shorter.isEmpty() ? "(not again: it depends on how threads run)" : shorter),
                        e);
            }
        }
    }

    /// Mostly some people work together from the beginning.
    private void begin(TheoremStage stage) throws IOException, InterruptedException {
        for (int person = 0; person < chance(4); person++) {
            var key = StoreSamples.author(person).toHex();
            var tags = new ArrayList<List<String>>();
            tags.add(List.of("d", "x"));
            tags.add(List.of("clone", GraspWorld.cloneUrl(key, "x")));
            tags.add(List.of("relays", "wss://" + GraspWorld.DOMAIN));
            tags.add(together());
            send(make(person, Kinds.ANNOUNCEMENT, stage, tags), stage);
        }
    }

    private static List<String> together() {
        return Stream.concat(
                        Stream.of("maintainers"), GraspWorld.people().stream().limit(4))
                .toList();
    }

    private int chance(int bound) {
        return random.nextInt(bound);
    }

    private <T> T any(List<T> list) {
        return list.get(chance(list.size()));
    }

    private void step(TheoremStage stage) throws IOException, InterruptedException {
        int number = chance(100);
        if (number < 16) {
            send(announcement(stage), stage);
        } else if (number < 42) {
            send(state(stage), stage);
        } else if (number < 50) {
            send(proposal(stage), stage);
        } else if (number < 56) {
            send(deletion(stage), stage);
        } else if (number < 58 && !made.isEmpty()) {
            send(any(made), stage);
        } else if (number < 85) {
            push(stage);
        } else if (number < 90) {
            pushProposal(stage);
        } else if (number < 95) {
            pass(stage);
        } else {
            restart(stage);
        }
    }

    // ---- events

    private void send(Made event, TheoremStage stage) throws IOException, InterruptedException {
        stage.perform(new TheoremDeed.Sends(event, chance(4) == 0));
    }

    /// Often several in one second.
    private Made make(int author, int kind, TheoremStage stage, List<List<String>> tags) {
        var all = new ArrayList<>(tags);
        all.add(List.of("nonce", Integer.toString(made.size())));
        long date = stage.world().now() / 1000 - chance(3);
        var result = new Made(
                TheoremStage.NAMES.get(author), StoreSamples.event(author, kind, date, all, ""), List.copyOf(all));
        made.add(result);
        return result;
    }

    private String person() {
        return StoreSamples.author(author()).toHex();
    }

    /// The first ones do most.
    private int author() {
        return Math.min(chance(GraspWorld.PEOPLE), chance(GraspWorld.PEOPLE + 2));
    }

    private String identifier() {
        return any(List.of("x", "x", "x", "y"));
    }

    private Made announcement(TheoremStage stage) {
        int author = author();
        var key = StoreSamples.author(author).toHex();
        var identifier = identifier();
        boolean isHere = chance(8) > 0;
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        tags.add(List.of("clone", isHere ? GraspWorld.cloneUrl(key, identifier) : "https://other.example.org/r.git"));
        tags.add(List.of("relays", isHere ? "wss://" + GraspWorld.DOMAIN : "wss://other.example.org"));
        switch (chance(6)) {
            case 0 -> {}
            case 1 ->
                tags.add(Stream.concat(
                                Stream.of("maintainers"),
                                Stream.generate(this::person).limit(3))
                        .toList());
            case 2, 3 -> tags.add(together());
            case 4 -> {
                tags.add(List.of("M", key));
                tags.add(List.of("m", person()));
                tags.add(List.of("m", person()));
            }
            default -> {
                tags.add(List.of("M", person()));
                tags.add(List.of("m", key));
            }
        }
        return make(author, Kinds.ANNOUNCEMENT, stage, tags);
    }

    private Made state(TheoremStage stage) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier()));
        int form = chance(25);
        if (form == 0) {
            tags.add(List.of("refs/tags/v1^{}", any(objects.commits()).toString()));
        } else if (form == 1) {
            tags.add(List.of("refs/heads/main", "ref: refs/heads/dev"));
        } else {
            addRefs(tags, form);
        }
        if (chance(3) > 0) {
            tags.add(List.of("HEAD", any(List.of("ref: refs/heads/main", "refs/heads/dev", "ref: refs/heads/gone"))));
        }
        return make(author(), Kinds.STATE, stage, tags);
    }

    private void addRefs(List<List<String>> tags, int form) {
        var names = new ArrayList<>(
                List.of("refs/heads/main", "refs/heads/dev", any(List.of("refs/heads/f", "refs/heads/f/g"))));
        names.removeIf(_ -> chance(2) == 0);
        for (var name : names) {
            tags.add(List.of(name, any(objects.commits()).toString()));
        }
        switch (form) {
            case 2 -> tags.add(List.of("refs/heads/odd", LOST.toString()));
            case 3 -> tags.add(List.of("refs/heads/odd", objects.blob().toString()));
            case 4 -> tags.add(List.of("refs/heads/odd", "ref: refs/heads/main"));
            case 5 -> tags.add(List.of("refs/heads/odd", "abc123"));
            case 6 -> {
                tags.add(List.of("refs/tags/v1", objects.tag().toString()));
                tags.add(List.of("refs/tags/v1^{}", objects.commits().get(2).toString()));
            }
            case 7 -> tags.add(List.of("refs/tags/blob", objects.blob().toString()));
            default -> {}
        }
    }

    private Made proposal(TheoremStage stage) {
        var tags = new ArrayList<List<String>>();
        for (int i = 1 + chance(2); i > 0; i--) {
            tags.add(List.of("a", "30617:" + person() + ":" + any(GraspWorld.IDENTIFIERS)));
        }
        tags.add(List.of("c", any(objects.commits()).toString()));
        return make(author(), Kinds.PULL_REQUEST, stage, tags);
    }

    /// Seldom of announcements, which end so much.
    private Made deletion(TheoremStage stage) {
        var tags = new ArrayList<List<String>>();
        int author = author();
        if (!made.isEmpty()) {
            var target = any(made);
            if (target.kind() == Kinds.ANNOUNCEMENT && chance(3) > 0) {
                target = any(made);
            }
            author = TheoremStage.NAMES.indexOf(target.label());
            boolean isByAddress = target.address().isPresent() && chance(2) == 0;
            tags.add(isByAddress ? List.of("a", target.address().get()) : List.of("e", target.id()));
        }
        return make(author, Kinds.DELETION, stage, tags);
    }

    // ---- git

    /// Somebody pushes what a state says, or nearly so.
    private void push(TheoremStage stage) throws IOException, InterruptedException {
        var refs = stage.refs();
        if (refs.isEmpty()) {
            return;
        }
        var address = any(List.copyOf(refs.keySet()));
        var waiting = stage.world().held().stream()
                .map(row -> stage.sent(row.event().id().toHex()))
                .toList();
        var states = (chance(5) == 0 ? made : waiting)
                .stream()
                        .filter(event -> event.kind() == Kinds.STATE
                                && event.identifier()
                                        .equals(address.identifier().text()))
                        .toList();
        if (states.isEmpty()) {
            return;
        }
        var state = any(states);
        var wanted = new LinkedHashMap<String, Oid>();
        for (var tag : state.tags()) {
            boolean isRef =
                    tag.getFirst().startsWith("refs/") && !tag.getFirst().endsWith("^{}");
            if (isRef && chance(15) > 0) {
                Oid.parse(tag.get(1)).find().filter(objects::exists).ifPresent(id -> wanted.put(tag.getFirst(), id));
            }
        }
        if (chance(12) == 0) {
            wanted.put("refs/heads/more", any(objects.commits()));
        }
        if (chance(6) == 0) {
            Objects.requireNonNull(refs.get(address)).values().keySet().stream()
                    .map(name -> name.text())
                    .filter(name -> !wanted.containsKey(name) && name.startsWith("refs/heads/"))
                    .forEach(name -> wanted.put(name, Oid.ZERO));
        }
        push(address, wanted, stage);
    }

    private void pushProposal(TheoremStage stage) throws IOException, InterruptedException {
        var proposals = made.stream().filter(Made::isProposal).toList();
        var refs = stage.refs();
        if (refs.isEmpty() || proposals.isEmpty()) {
            return;
        }
        var proposal = any(proposals);
        boolean isKnown = stage.world().held().stream()
                        .anyMatch(row -> row.event().id().toHex().equals(proposal.id()))
                || stage.world().served().stream()
                        .anyMatch(event -> event.id().toHex().equals(proposal.id()));
        if (isKnown) {
            var commit = chance(5) == 0
                    ? any(objects.commits())
                    : Oid.parse(proposal.first("c").orElseThrow()).require();
            push(any(List.copyOf(refs.keySet())), Map.of("refs/nostr/" + proposal.id(), commit), stage);
        }
    }

    private void push(RepositoryAddress address, Map<String, Oid> wanted, TheoremStage stage)
            throws IOException, InterruptedException {
        if (!wanted.isEmpty()) {
            boolean isBroken = chance(25) == 0;
            stage.perform(new TheoremDeed.Pushes(address, wanted, chance(2) == 0, isBroken));
        }
    }

    // ---- time

    private void pass(TheoremStage stage) throws IOException, InterruptedException {
        var time = any(List.of(
                Duration.ofSeconds(1 + chance(90)),
                Duration.ofSeconds(1 + chance(90)),
                Duration.ofMinutes(10 + chance(40)),
                Duration.ofHours(20 + chance(10)),
                Duration.ofDays(chance(6) == 0 ? 100 : 8)));
        stage.perform(new TheoremDeed.Passes(time));
    }

    private void restart(TheoremStage stage) throws IOException, InterruptedException {
        stage.perform(new TheoremDeed.Restarts(chance(2) == 0));
    }
}
