package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// The directory is laid out as version 3 of the existing server does it: repositories without objects of their
/// own, which borrow those of a family below `.grasp` (purgatory 7.6). Whatever is done to one of them would
/// be done to all, so nothing is.
public final class FamilyLayout extends IOException {
    private static final long serialVersionUID = 1;

    private static final String THEIRS = ".grasp";
    private static final String BORROWED = "objects/info/alternates";
    private static final String CONTRIBUTORS = "prs";

    private FamilyLayout(String sentence) {
        super(sentence);
    }

    /// Looks at the names of files, changes nothing, and says why a directory cannot be used.
    ///
    /// @param gitData need not exist
    public static Optional<FamilyLayout> find(Path gitData) throws IOException {
        if (!Files.isDirectory(gitData)) {
            return Optional.empty();
        }
        if (Files.exists(gitData.resolve(THEIRS), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(refusal(gitData, "has a directory " + THEIRS));
        }
        return findBorrower(gitData)
                .map(view ->
                        refusal(gitData, "has a repository that borrows its objects, " + gitData.relativize(view)));
    }

    private static Optional<Path> findBorrower(Path gitData) throws IOException {
        var found = new Object() {
            Optional<Path> view = Optional.empty();
        };
        RepositoryTree.forEach(gitData, (_, repository) -> {
            if (found.view.isEmpty() && borrows(repository)) {
                found.view = Optional.of(repository);
            }
        });
        return found.view.isPresent() ? found.view : findContributed(gitData.resolve(CONTRIBUTORS));
    }

    private static Optional<Path> findContributed(Path contributors) throws IOException {
        try (var all = Files.newDirectoryStream(contributors, FileTree::isDirectory)) {
            for (var contributor : all) {
                try (var repositories = Files.newDirectoryStream(contributor, FamilyLayout::borrows)) {
                    for (var repository : repositories) {
                        return Optional.of(repository);
                    }
                }
            }
        } catch (NoSuchFileException _) {
            // nobody contributed, or somebody cleans up at this moment
        }
        return Optional.empty();
    }

    private static boolean borrows(Path repository) {
        return Files.exists(repository.resolve(BORROWED), LinkOption.NOFOLLOW_LINKS);
    }

    /// Whether a single repository has not all of its objects itself.
    static void refuse(Path repository) throws IOException {
        if (borrows(repository)) {
            throw new FamilyLayout(repository + " borrows its objects from another repository (" + BORROWED
                    + "), so it is left alone");
        }
    }

    private static FamilyLayout refusal(Path gitData, String found) {
        return new FamilyLayout(
                "the git data directory " + gitData + " " + found + ", so it is laid out as ngit-grasp 3"
                        + " does it, which this version of Grapnel cannot take over; nothing was changed: name another directory"
                        + " with --git-data-path, and repositories come back by pushing them again");
    }
}
