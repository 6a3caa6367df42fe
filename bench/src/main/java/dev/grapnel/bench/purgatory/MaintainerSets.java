package dev.grapnel.bench.purgatory;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Voice;
import dev.grapnel.store.row.Standing;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What it takes to know who maintains a repository after somebody has announced something else.
final class MaintainerSets {
    private static final Identifier NAME = new Identifier("shared");

    private MaintainerSets() {}

    /// Who lists whom.
    private enum Shape {
        LEAD("the owner and each of the others list each other") {
            @Override
            List<Integer> listedBy(int person, int size) {
                return person == 0 ? everybody(size) : List.of(0);
            }
        },
        ALL("everybody lists everybody") {
            @Override
            List<Integer> listedBy(int person, int size) {
                return everybody(size);
            }
        },
        CHAIN("each lists the one before and the one behind") {
            @Override
            List<Integer> listedBy(int person, int size) {
                return IntStream.of(person - 1, person + 1)
                        .filter(other -> other >= 0 && other < size)
                        .boxed()
                        .toList();
            }
        };

        private final String words;

        Shape(String words) {
            this.words = words;
        }

        abstract List<Integer> listedBy(int person, int size);

        static List<Integer> everybody(int size) {
            return IntStream.range(0, size).boxed().toList();
        }
    }

    static void print() {
        Report.line("%n## Maintainers after an announcement%n");
        Report.line("| Who lists whom | Owners | One set, µs of CPU | All sets, µs of CPU |%n|---|--:|--:|--:|");
        for (var shape : Shape.values()) {
            for (int size : new int[] {1, 3, 10, 256}) {
                measure(shape, size);
            }
        }
    }

    private static Announced entry(Shape shape, int person, int size, long second) {
        var listed = shape.listedBy(person, size).stream()
                .filter(other -> other != person)
                .toList();
        var voice = Voice.of(Scene.announcement(person, NAME.text(), second, listed))
                .orElseThrow();
        return new Announced(
                Scene.person(person), Optional.of(voice), Optional.empty(), Optional.of(Standing.Phase.HOSTED), false);
    }

    private static void measure(Shape shape, int size) {
        var pool = Pool.empty(NAME, MaintainerModel.CONFIRMED);
        for (int person = 0; person < size; person++) {
            pool = pool.with(entry(shape, person, size, Scene.BEGIN));
        }
        int announcer = size - 1;
        var versions =
                List.of(entry(shape, announcer, size, Scene.BEGIN + 1), entry(shape, announcer, size, Scene.BEGIN + 2));
        var before = pool;
        if (before.maintainers(Scene.person(0)).members().size() != size) {
            throw new IllegalStateException("the set of " + shape + " is not what it should be");
        }
        int times = Math.max(100, 20_000 / size);
        var one = Rounds.of(10, 15, () -> time(before, versions, times, 1));
        var all = Rounds.of(3, 7, () -> time(before, versions, Math.max(1, times / size), size));
        Report.line("| %s | %d | %s | %s |", shape.words, size, one.shown(1), all.shown(1));
    }

    /// Microseconds of one announcement with so many sets found anew.
    private static double time(Pool before, List<Announced> versions, int times, int sets) {
        var pool = before;
        var owners = IntStream.range(0, sets).mapToObj(Scene::person).toList();
        int members = 0;
        long begin = Report.cpuNanos();
        for (int i = 0; i < times; i++) {
            pool = pool.with(versions.get(i & 1));
            for (var owner : owners) {
                members += pool.maintainers(owner).members().size();
            }
        }
        return (Report.cpuNanos() - begin) / 1e3 / times + (members < 0 ? 1 : 0);
    }
}
