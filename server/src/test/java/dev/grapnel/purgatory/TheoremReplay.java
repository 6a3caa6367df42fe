package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.MaintainerModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds out which deeds of a history that failed are needed for it to fail.
final class TheoremReplay {
    /// Each leaves out a part of the history; more would take too long.
    private static final int ATTEMPTS_MAX = 400;

    private final MaintainerModel model;
    private final Path directory;
    private final TheoremObjects objects;
    private int attempts;
    private String story = "";

    TheoremReplay(MaintainerModel model, Path directory, TheoremObjects objects) {
        this.model = model;
        this.directory = directory;
        this.objects = objects;
    }

    /// The shortest story found that fails, with how it fails; empty if the deeds do not fail when they are done
    /// again.
    String shorten(List<TheoremDeed> failing) throws IOException, InterruptedException {
        if (!fails(failing)) {
            return "";
        }
        var left = failing;
        for (int part = Math.max(1, left.size() / 2); part > 0; part = part == 1 ? 0 : part / 2) {
            left = shorten(left, part);
        }
        return story;
    }

    /// Leaves out so many at a time wherever that can be done, the last ones first.
    private List<TheoremDeed> shorten(List<TheoremDeed> deeds, int part) throws IOException, InterruptedException {
        var left = new ArrayList<>(deeds);
        for (int end = left.size(); end > 0; end -= part) {
            var fewer = new ArrayList<>(left);
            fewer.subList(Math.max(0, end - part), end).clear();
            if (fails(fewer)) {
                left = fewer;
            }
        }
        return left;
    }

    private boolean fails(List<TheoremDeed> deeds) throws IOException, InterruptedException {
        if (attempts == ATTEMPTS_MAX) {
            return false;
        }
        attempts++;
        try (var stage = new TheoremStage(model, directory.resolve("replay" + attempts), objects)) {
            try {
                for (var deed : deeds) {
                    stage.perform(deed);
                    stage.check();
                }
                return false;
            } catch (AssertionError | RuntimeException e) {
                story = stage.story() + "\n=> " + e.getMessage();
                return true;
            }
        }
    }
}
