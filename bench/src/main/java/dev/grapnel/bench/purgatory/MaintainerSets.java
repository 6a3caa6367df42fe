package dev.grapnel.bench.purgatory;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Voice;
import dev.grapnel.store.row.Standing;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
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
        Report.line("| Who lists whom | Owners | One set in full, µs of CPU | Who is in one set | In all sets |");
        Report.line("|---|--:|--:|--:|--:|");
        for (var shape : Shape.values()) {
            for (int size : new int[] {1, 3, 10, 256, 800}) {
                measure(shape, size);
            }
        }
    }

    /// Odd versions name a stranger as well.
    private static Announced entry(Shape shape, int person, int size, int version) {
        var listed = IntStream.concat(
                        shape.listedBy(person, size).stream().mapToInt(other -> other),
                        version % 2 == 0 ? IntStream.empty() : IntStream.of(Scene.PEOPLE))
                .filter(other -> other != person)
                .boxed()
                .toList();
        var voice = Voice.of(Scene.announcement(person, NAME.text(), Scene.BEGIN + version, listed))
                .orElseThrow();
        return new Announced(
                Scene.person(person), Optional.of(voice), Optional.empty(), Optional.of(Standing.Phase.HOSTED), false);
    }

    private static void measure(Shape shape, int size) {
        var filled = Pool.empty(NAME, MaintainerModel.CONFIRMED);
        for (int person = 0; person < size; person++) {
            filled = filled.with(entry(shape, person, size, 0));
        }
        int announcer = size - 1;
        var versions = List.of(entry(shape, announcer, size, 1), entry(shape, announcer, size, 2));
        var before = filled;
        if (before.maintainers(Scene.person(0)).members().size() != Math.min(size, Maintainers.MEMBERS_MAX)) {
            throw new IllegalStateException("the set of " + shape + " is not what it should be");
        }
        int times = Math.max(100, 20_000 / size);
        var first = Scene.person(0);
        var last = Scene.person(announcer);
        var full = Rounds.of(
                10,
                15,
                () -> time(
                        before,
                        versions,
                        times,
                        pool -> pool.maintainers(first).members().size()));
        var one = Rounds.of(10, 15, () -> time(before, versions, times, pool -> pool.isMember(last, first) ? 1 : 0));
        var all = Rounds.of(
                10,
                15,
                () -> time(
                        before, versions, times, pool -> pool.authorising(last).size()));
        Report.line("| %s | %d | %s | %s | %s |", shape.words, size, full.shown(1), one.shown(1), all.shown(1));
    }

    /// Microseconds of one announcement and a question afterwards. The versions name different people, so that
    /// nothing known stays true.
    private static double time(Pool before, List<Announced> versions, int times, ToIntFunction<Pool> question) {
        var pool = before;
        int answers = 0;
        long begin = Report.cpuNanos();
        for (int i = 0; i < times; i++) {
            pool = pool.with(versions.get(i & 1));
            answers += question.applyAsInt(pool);
        }
        return (Report.cpuNanos() - begin) / 1e3 / times + (answers < 0 ? 1 : 0);
    }
}
