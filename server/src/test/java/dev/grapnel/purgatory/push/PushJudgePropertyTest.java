package dev.grapnel.purgatory.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.push.PushCommand;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.push.Proposals.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What stays true whatever is pushed. `-Dgrapnel.push.seeds=100000` tries more.
final class PushJudgePropertyTest {
    private static final int SEEDS = Integer.getInteger("grapnel.push.seeds", 3000);
    private static final List<String> NAMES = List.of("main", "dev", "v1", "a", "a/b");
    private static final List<String> PEOPLE = List.of("ann", "bob", "cat", "dan");

    @Test
    void judgementIsWhatTheRulesSay() {
        int allowed = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var text = commands(random);
            var push = scene(random, new TriedPush(text));
            for (var stage : Stage.values()) {
                var scene = push.scene(stage);
                var message = "seed " + seed + " " + stage + ": " + text;
                switch (PushJudge.judge(push.commands(), scene, stage)) {
                    case PushJudgement.Refused refused -> assertBlame(refused, push.commands(), message);
                    case PushJudgement.Allowed judged -> {
                        assertSound(judged, push.commands(), scene, stage, message);
                        allowed += judged.chosen().isPresent() ? 1 : 0;
                    }
                }
                assertMatches(push.commands(), scene, stage, message);
            }
        }
        assertTrue(allowed > SEEDS / 20, "too few pushes were allowed to prove anything: " + allowed);
    }

    private static void assertBlame(PushJudgement.Refused refused, List<PushCommand> commands, String message) {
        var refs = commands.stream().map(PushCommand::ref).collect(Collectors.toSet());
        assertTrue(refs.containsAll(refused.verdict().refs()), message);
        assertTrue(!refused.verdict().refs().isEmpty(), message);
    }

    /// Older held states never authorise, and after the pack nothing of the chosen one is missing.
    private static void assertSound(
            PushJudgement.Allowed judged, List<PushCommand> commands, PushScene scene, Stage stage, String message) {
        judged.chosen().ifPresent(state -> {
            var governing = scene.governing();
            assertTrue(governing.maintainers().contains(state.author()), message);
            governing
                    .authoritative()
                    .ifPresent(served ->
                            assertTrue(state.equals(served) || state.version().isNewerThan(served.version()), message));
            if (stage == Stage.AFTER_PACK) {
                assertTrue(state.isSatisfiable() && !judged.isProvisional(), message);
                state.refs().values().forEach(oid -> assertTrue(scene.objects().isHere(oid), message));
            }
        });
        long proposals = commands.stream()
                .filter(command -> command.ref().startsWith(RefName.PROPOSALS))
                .count();
        assertEquals(proposals, judged.proposals().size(), message);
    }

    /// Purgatory P-313 once more, slowly: of branches and tags pushed with right old values, is the newest
    /// state chosen that they fit?
    private static void assertMatches(List<PushCommand> commands, PushScene scene, Stage stage, String message) {
        var pushed = commands.stream()
                .filter(command -> command.name()
                        .find()
                        .filter(PushJudgePropertyTest::isOfState)
                        .isPresent())
                .toList();
        boolean isVoid =
                pushed.stream().allMatch(command -> current(command, scene).equals(command.after()));
        boolean isStale = pushed.stream()
                .anyMatch(command -> !current(command, scene).equals(command.after())
                        && !current(command, scene).equals(command.before()));
        if (isVoid || isStale || scene.standing() != Standing.HOSTED) {
            return;
        }
        RepositoryState newest = null;
        for (var state : scene.governing().authorising()) {
            boolean isNewest = newest == null || state.version().isNewerThan(newest.version());
            if (isNewest && fits(pushed, state, scene, stage)) {
                newest = state;
            }
        }
        if (PushJudge.judge(pushed, scene, stage) instanceof PushJudgement.Allowed allowed) {
            assertEquals(newest, allowed.chosen().orElse(null), message);
        } else {
            assertEquals(null, newest, message);
        }
    }

    private static boolean fits(List<PushCommand> pushed, RepositoryState state, PushScene scene, Stage stage) {
        boolean good = state.unusable().isEmpty();
        for (var command : pushed) {
            var ref = new RefName(command.ref());
            good &= command.isDeletion()
                    ? !state.refs().containsKey(ref)
                    : command.after().equals(state.refs().get(ref));
            good &= !state.setAside().contains(ref);
        }
        boolean mayCome = stage == Stage.BEFORE_PACK && pushed.stream().anyMatch(command -> !command.isDeletion());
        for (var entry : state.refs().entrySet()) {
            boolean isCommit = !scene.objects().isOtherThanCommit(entry.getValue());
            good &= isCommit || entry.getKey().isTag();
            good &= mayCome || scene.objects().isHere(entry.getValue());
        }
        return good;
    }

    private static boolean isOfState(RefName ref) {
        return ref.isBranch() || ref.isTag();
    }

    private static Object current(PushCommand command, PushScene scene) {
        return scene.refs().target(new RefName(command.ref()));
    }

    private static String commands(SplittableRandom random) {
        var commands = new ArrayList<String>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            var name = NAMES.get(random.nextInt(NAMES.size()));
            int before =
                    random.nextInt(8) == 0 ? random.nextInt(6) : name.equals("main") ? 1 : name.equals("dev") ? 2 : 0;
            int after = random.nextInt(5);
            commands.add(name + " " + before + ">" + after);
        }
        if (random.nextInt(5) == 0) {
            commands.add("pr" + random.nextInt(4) + " 0>" + random.nextInt(5));
        }
        if (random.nextInt(20) == 0) {
            commands.add(List.of("HEAD", "refs/notes/x", "refs/nostr/1", "refs/heads/a..b", "refs/heads/")
                            .get(random.nextInt(5))
                    + " 0>3");
        }
        return String.join(",", commands);
    }

    private static TriedPush scene(SplittableRandom random, TriedPush push) {
        var served = new ArrayList<String>();
        var held = new ArrayList<String>();
        for (var person : PEOPLE) {
            if (random.nextInt(3) == 0) {
                served.add(state(random, person));
            }
            for (int i = random.nextInt(4); i > 1; i--) {
                held.add(state(random, person));
            }
        }
        push.served(String.join("; ", served)).held(String.join("; ", held));
        for (int digit = 3; digit < 7; digit++) {
            if (random.nextInt(2) == 0) {
                push.here(Integer.toString(digit));
            }
            if (random.nextInt(12) == 0) {
                push.noCommits(Integer.toString(digit));
            }
        }
        push.known("1", new Finding.Proposed("3".repeat(40)))
                .known("2", new Finding.Placeholder(TriedPush.oid("3")))
                .known("3", new Finding.Deleted());
        return random.nextInt(30) == 0 ? push.standing(Standing.WITHDRAWN) : push;
    }

    private static String state(SplittableRandom random, String person) {
        var text = new StringBuilder(person + " " + (8 + random.nextInt(6)));
        for (var name : NAMES.subList(0, 4)) {
            if (random.nextInt(2) == 0) {
                int value = 1 + random.nextInt(4);
                text.append(' ').append(name).append('=');
                text.append(random.nextInt(25) == 0 ? "@dev" : random.nextInt(25) == 0 ? "abc" : "" + value);
            }
        }
        return text.toString();
    }
}
