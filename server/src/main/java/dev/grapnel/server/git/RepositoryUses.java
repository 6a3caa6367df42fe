package dev.grapnel.server.git;

import dev.grapnel.git.maintenance.Uses;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Who uses which repository just now. Only those in use are remembered.
public final class RepositoryUses implements Uses {
    private final Files files;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stepped = lock.newCondition();
    private final Map<RepositoryAddress, Book> books = new TreeMap<>();

    public RepositoryUses(Files files) {
        this.files = files;
    }

    /// What is told to those who have files of a repository open.
    public interface Files {
        /// Nobody has.
        Files UNOPENED = new Files() {
            @Override
            public void readIndexes(RepositoryAddress repository) {}

            @Override
            public void reopen(RepositoryAddress repository) {}
        };

        /// Reads what will be gone soon.
        void readIndexes(RepositoryAddress repository) throws IOException;

        /// Makes those who come later see the files as they are now.
        void reopen(RepositoryAddress repository);

        /// Those of the repositories that are served.
        static Files of(Repositories repositories) {
            return new Files() {
                @Override
                public void readIndexes(RepositoryAddress repository) throws IOException {
                    repositories.readIndexes(repository);
                }

                @Override
                public void reopen(RepositoryAddress repository) {
                    repositories.reopen(repository);
                }
            };
        }
    }

    /// Uses of one repository.
    private static final class Book {
        private final Set<Use> reads = new HashSet<>();
        private int changes;
        private boolean stepping;
    }

    /// One use, until closed.
    public interface Use extends AutoCloseable {
        @Override
        void close();
    }

    /// Somebody reads.
    public Use read(RepositoryAddress repository) {
        lock.lock();
        try {
            var book = books.computeIfAbsent(repository, _ -> new Book());
            var use = new ReadUse(repository);
            book.reads.add(use);
            return use;
        } finally {
            lock.unlock();
        }
    }

    private final class ReadUse implements Use {
        private final RepositoryAddress repository;

        ReadUse(RepositoryAddress repository) {
            this.repository = repository;
        }

        @Override
        public void close() {
            end(repository, book -> book.reads.remove(this));
        }
    }

    /// Somebody pushes, which is reading, too. Waits while a short step of maintenance is taken.
    public Use change(RepositoryAddress repository) {
        var read = read(repository);
        lock.lock();
        try {
            var book = books.computeIfAbsent(repository, _ -> new Book());
            while (book.stepping) {
                stepped.awaitUninterruptibly();
            }
            book.changes++;
        } finally {
            lock.unlock();
        }
        return () -> {
            end(repository, book -> book.changes--);
            read.close();
        };
    }

    private void end(RepositoryAddress repository, Consumer<Book> change) {
        lock.lock();
        try {
            var book = books.get(repository);
            if (book != null) {
                change.accept(book);
                forgetIfUnused(repository, book);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forgetIfUnused(RepositoryAddress repository, Book book) {
        if (book.reads.isEmpty() && book.changes == 0 && !book.stepping) {
            books.remove(repository);
        }
    }

    @Override
    public boolean isChanging(RepositoryAddress repository) {
        lock.lock();
        try {
            var book = books.get(repository);
            return book != null && book.changes > 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean whileUnchanged(RepositoryAddress repository, Step step) throws IOException {
        lock.lock();
        try {
            var book = books.computeIfAbsent(repository, _ -> new Book());
            if (book.changes > 0 || book.stepping) {
                return false;
            }
            book.stepping = true;
        } finally {
            lock.unlock();
        }
        try {
            step.run();
            return true;
        } finally {
            end(repository, book -> {
                book.stepping = false;
                stepped.signalAll();
            });
        }
    }

    @Override
    public void beforeSwap(RepositoryAddress repository) throws IOException {
        files.readIndexes(repository);
    }

    @Override
    public Reads swapped(RepositoryAddress repository) {
        files.reopen(repository);
        Set<Use> before;
        lock.lock();
        try {
            var book = books.get(repository);
            before = book == null ? Set.of() : Set.copyOf(book.reads);
        } finally {
            lock.unlock();
        }
        return () -> haveEnded(repository, before);
    }

    private boolean haveEnded(RepositoryAddress repository, Set<Use> before) {
        lock.lock();
        try {
            var book = books.get(repository);
            return book == null || before.stream().noneMatch(book.reads::contains);
        } finally {
            lock.unlock();
        }
    }
}
