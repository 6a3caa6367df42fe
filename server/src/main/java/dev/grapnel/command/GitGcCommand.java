package dev.grapnel.command;

import dev.grapnel.git.maintenance.FormerTips;
import dev.grapnel.git.maintenance.FullRepack;
import dev.grapnel.git.maintenance.KeepRoots;
import dev.grapnel.git.maintenance.Pace;
import dev.grapnel.git.maintenance.RepositoryUpkeep;
import dev.grapnel.git.maintenance.Surroundings;
import dev.grapnel.git.maintenance.UpkeepConfig;
import dev.grapnel.git.maintenance.Uses;
import dev.grapnel.git.repository.DirectoryInUse;
import dev.grapnel.git.repository.DirectoryLock;
import dev.grapnel.git.repository.FamilyLayout;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `grapnel git gc`.
@Command(
        name = "gc",
        description = {
            "Packs repositories anew while no server uses them.",
            "Afterwards each has as few packs as possible, with bitmaps and a commit graph, as a running server makes it"
                    + " in the background. Whenever this is interrupted, the repositories are whole.",
            "Objects that no ref reaches stay: only the server knows which of them events still need."
        })
final class GitGcCommand implements Callable<Integer> {
    /// Nothing is as old as this.
    private static final Duration FOR_EVER = Duration.ofDays(50L * 365);

    private final Invocation invocation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private GitOption git = new GitOption();

    GitGcCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var directory = git.directory(invocation.environment());
        var places = git.select(directory);
        var problems = new Problems(spec.commandLine().getErr());
        try (var _ = DirectoryLock.take(directory)) {
            packAll(places, problems);
        } catch (DirectoryInUse e) {
            throw new ToolFailure(
                    "the repositories in " + directory + " are in use by " + e.holder()
                            + ": a running server keeps them packed by itself",
                    e);
        } catch (FamilyLayout e) {
            problems.accept(String.valueOf(e.getMessage()));
            problems.finish();
            return ExitCode.USAGE;
        } catch (IOException e) {
            throw ToolFailure.of("lock", directory, e);
        }
        problems.finish();
        new StandardOutput(invocation)
                .print("packed " + Figures.repositories(places.size())
                        + (problems.count() == 0 ? "" : ", " + Figures.count(problems.count(), "problem")));
        return problems.count() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void packAll(List<RepositoryPlace> places, Problems problems) {
        var line = new CountLine(spec.commandLine().getErr(), invocation.isErrTerminal(), System::nanoTime);
        var limits = UpkeepConfig.defaultsFor(Runtime.getRuntime().maxMemory());
        var surroundings = Surroundings.REAL;
        var upkeep = new RepositoryUpkeep(
                surroundings,
                Pace.FREE,
                new UpkeepConfig(FOR_EVER, limits.repackObjectsMin(), limits.heap()),
                new FullRepack.Others(
                        KeepRoots.NONE, new FormerTips(surroundings.disk(), surroundings.time()), Uses.NOBODY));
        for (int i = 0; i < places.size(); i++) {
            line.show(i, places.size(), 0);
            pack(upkeep, places.get(i), problems);
        }
        line.clear();
    }

    private static void pack(RepositoryUpkeep upkeep, RepositoryPlace place, Problems problems) {
        try {
            for (var removal : upkeep.repack(place).removals()) {
                upkeep.remove(removal);
            }
        } catch (IOException e) {
            problems.accept(sentence(place.directory(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolFailure("interrupted", e);
        }
    }

    private static String sentence(Path repository, IOException problem) {
        return repository + ": it could not be packed: " + problem.getMessage();
    }
}
