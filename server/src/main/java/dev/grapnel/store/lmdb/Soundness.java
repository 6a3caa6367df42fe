package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Whether LMDB may be let loose on the file: only if its structure was found sound, or it was made by
/// ourselves.
final class Soundness implements AutoCloseable {
    private volatile FutureTask<List<String>> check;

    private Soundness(FutureTask<List<String>> check) {
        this.check = check;
    }

    /// Of a file that is new, or that is not going to be written to.
    static Soundness sound() {
        var done = new FutureTask<>(List::<String>of);
        done.run();
        return new Soundness(done);
    }

    /// Of a file that was there; it is looked at in the background.
    static Soundness checking(Commit commit) {
        var check = new FutureTask<>(() -> PageCheck.problems(commit));
        Thread.ofPlatform().daemon().name("store-check").start(check);
        return new Soundness(check);
    }

    /// Looks at the file again, because the system may have lost some of it.
    void recheck(Commit commit) {
        check = new FutureTask<>(() -> PageCheck.problems(commit));
        check.run();
    }

    /// @throws StoreFailure if the file is damaged
    void require() {
        List<String> problems;
        try {
            problems = check.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailure("interrupted while the structure of the store was checked", e);
        } catch (ExecutionException e) {
            throw new StoreFailure("the structure of the store could not be checked: " + e.getMessage(), e);
        }
        if (!problems.isEmpty()) {
            throw new StoreFailure("the store is damaged: " + problems.getFirst()
                    + (problems.size() > 1 ? " (and more)" : "")
                    + "; it can be read, but nothing is written to it: run `grapnel store check` to see all, and restore"
                    + " a backup");
        }
    }

    /// Waits for the end of a check, which comes soon once the commit has ended.
    @Override
    public void close() {
        boolean interrupted = false;
        while (true) {
            try {
                check.get();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            } catch (ExecutionException _) {
                break; // whoever wanted to write was told
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
