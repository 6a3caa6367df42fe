package dev.grapnel.sync.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A random world that can be told again: which story, which seed, and which of its acts. As text it is what a failing
/// run prints and a test takes: `story=faults;seed=5;acts=node0,relay1,repo0,post41,fault13`.
///
/// @param acts that are played; all if it is empty
record Script(Tale tale, long seed, Optional<Set<Act>> acts) {
    Script {
        acts = acts.map(TreeSet::new);
    }

    /// The whole world of a seed.
    static Script of(Tale tale, long seed) {
        return new Script(tale, seed, Optional.empty());
    }

    /// Which stories there are.
    enum Tale {
        /// All faults and liars, and a day until everything must be right.
        FAULTS {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Story.SMALL.run(seed, cores, RelayModels::random, cast);
            }
        },
        /// The same, small enough for hundreds of worlds in a minute.
        BRIEF {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Story.BRIEF.run(seed, cores, RelayModels::random, cast);
            }

            @Override
            CoreFactory cores() {
                return Story.BRIEF.cores();
            }
        },
        /// Nothing that is too long to be made up for at once.
        INTERRUPTIONS {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Interruptions.run(Interruptions.USUAL, seed, cores, cast);
            }
        },
        /// Nothing goes wrong, and then nothing happens for a day.
        STILLNESS {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Stillness.run(seed, cores, cast);
            }
        },
        /// One relay lies, and the others are asked as if it did not.
        ISOLATION {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Isolation.run(seed, cores, cast);
            }
        },
        /// The node is killed after as many messages as the seed says.
        CRASH {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Crashes.run(seed, cores);
            }

            @Override
            boolean isRandom() {
                return false;
            }
        },
        /// The largest server seen is mirrored; the seed is the place of its make in [Mirror.Make#all].
        MIRROR {
            @Override
            void tell(long seed, CoreFactory cores, Predicate<Act> cast) {
                Mirror.Make.all().get((int) seed).check(cores);
            }

            @Override
            boolean isRandom() {
                return false;
            }
        };

        /// @param cast tells which acts are played
        abstract void tell(long seed, CoreFactory cores, Predicate<Act> cast);

        /// Cores that it is usually told with.
        CoreFactory cores() {
            return JoinedCore.usual();
        }

        /// Whether any number is the seed of a world.
        boolean isRandom() {
            return true;
        }

        /// @throws IllegalArgumentException if there is none of that name
        static Tale parse(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Script withActs(List<Act> some) {
        return new Script(tale, seed, Optional.of(new TreeSet<>(some)));
    }

    /// Tells it with the usual cores; what was wrong is thrown.
    void play() {
        play(tale.cores());
    }

    void play(CoreFactory cores) {
        tale.tell(seed, cores, this::plays);
    }

    /// Tells it.
    Showing show(CoreFactory cores) {
        var played = new LinkedHashSet<Act>();
        Optional<Throwable> problem = Optional.empty();
        try {
            tale.tell(seed, cores, act -> plays(act) && played.add(act));
        } catch (RuntimeException | Error thrown) { // whatever it is, it is what the caller wants to know
            problem = Optional.of(thrown);
        }
        return new Showing(List.copyOf(played), problem);
    }

    private boolean plays(Act act) {
        return acts.isEmpty() || acts.get().contains(act);
    }

    /// How it went.
    record Showing(List<Act> played, Optional<Throwable> problem) {
        /// What went wrong, in short; empty if nothing did.
        String sort() {
            return problem.map(Violation::sortOf).orElse("");
        }
    }

    /// @throws IllegalArgumentException if it is none
    static Script parse(String text) {
        var script = of(Tale.FAULTS, 1);
        for (var part : text.split(";", -1)) {
            var value = part.substring(part.indexOf('=') + 1);
            script = switch (part.substring(0, part.indexOf('=') + 1)) {
                case "story=" -> new Script(Tale.parse(value), script.seed, script.acts);
                case "seed=" -> new Script(script.tale, Long.parseLong(value), script.acts);
                case "acts=" ->
                    script.withActs(Arrays.stream(value.split(",", -1))
                            .filter(act -> !act.isEmpty())
                            .map(Act::parse)
                            .toList());
                default -> throw new IllegalArgumentException("a script has no " + part);
            };
        }
        return script;
    }

    @Override
    public String toString() {
        var parts = new ArrayList<>(List.of("story=" + tale.word(), "seed=" + seed));
        acts.ifPresent(some -> parts.add(
                "acts=" + String.join(",", some.stream().map(Act::toString).toList())));
        return String.join(";", parts);
    }

    /// How to tell it again.
    String command() {
        return "./mvnw -pl server -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ReplayTest"
                + " -Dgrapnel.simulation.replay='" + this + "'";
    }
}
