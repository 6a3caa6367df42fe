package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.FileSystemException;

/// One way in which a repository is not what its events say (README 4, P-733).
public sealed interface Divergence {
    RepositoryAddress repository();

    /// What differs, in the words of metrics and log.
    enum Kind {
        REFS,
        HEAD,
        PR_REF,
        OBJECTS
    }

    /// What differs.
    Kind kind();

    /// One ref that does; a star if it is all of them.
    String ref();

    /// One word for programs.
    String word();

    /// The rest of a sentence that begins with the repository.
    String sentence();

    /// Whether a run can put it right, so that it belongs in the repair ledger.
    boolean isRepairable();

    /// There is no directory, or none that can be used.
    record Absent(RepositoryAddress repository) implements Divergence {
        @Override
        public Kind kind() {
            return Kind.REFS;
        }

        @Override
        public String ref() {
            return "*";
        }

        @Override
        public String word() {
            return "absent";
        }

        @Override
        public String sentence() {
            return "its directory is not there";
        }

        @Override
        public boolean isRepairable() {
            return true;
        }
    }

    /// Branches, tags or HEAD are not those of the state that governs it.
    ///
    /// @param refs how many differ
    /// @param first one of them; HEAD if only that differs
    /// @param isComplete whether all objects of the state are here
    record Unaligned(RepositoryAddress repository, EventId state, int refs, String first, boolean isComplete)
            implements Divergence {
        @Override
        public Kind kind() {
            return first.equals("HEAD") ? Kind.HEAD : Kind.REFS;
        }

        @Override
        public String ref() {
            return first;
        }

        @Override
        public String word() {
            return "unaligned";
        }

        @Override
        public String sentence() {
            return (refs > 1 ? refs + " refs, " + first + " among them, differ" : first + " differs")
                    + " from the state " + state + (isComplete ? "" : ", of which objects are missing here");
        }

        @Override
        public boolean isRepairable() {
            return true;
        }
    }

    /// Its announcement waits, and yet it has branches or tags (I-18).
    record Unsigned(RepositoryAddress repository, int refs) implements Divergence {
        @Override
        public Kind kind() {
            return Kind.REFS;
        }

        @Override
        public String ref() {
            return "*";
        }

        @Override
        public String word() {
            return "unsigned";
        }

        @Override
        public String sentence() {
            return "it has " + refs + (refs == 1 ? " branch or tag" : " branches and tags")
                    + " though its announcement still waits; nobody sees them";
        }

        @Override
        public boolean isRepairable() {
            return false;
        }
    }

    /// A ref of a proposal that nobody knows. It is hidden, and it is the operator who decides what becomes of it.
    record Unexplained(RepositoryAddress repository, RefName name, Oid target) implements Divergence {
        @Override
        public Kind kind() {
            return Kind.PR_REF;
        }

        @Override
        public String ref() {
            return name.text();
        }

        @Override
        public String word() {
            return "unexplained";
        }

        @Override
        public String sentence() {
            return "no event explains " + name + ", which is at " + target + "; nobody sees it, and it is left alone";
        }

        @Override
        public boolean isRepairable() {
            return false;
        }
    }

    /// A ref of a proposal that names another commit.
    record Mistaken(RepositoryAddress repository, RefName name, Oid target, String proposed) implements Divergence {
        @Override
        public Kind kind() {
            return Kind.PR_REF;
        }

        @Override
        public String ref() {
            return name.text();
        }

        @Override
        public String word() {
            return "mistaken";
        }

        @Override
        public String sentence() {
            return name + " is at " + target + ", but its event proposes " + proposed + "; nobody sees it meanwhile";
        }

        @Override
        public boolean isRepairable() {
            return true;
        }
    }

    /// It could not be looked at, or not at all of it: the others are compared all the same.
    ///
    /// @param kind what could not be compared
    /// @param reason a sentence that says what cannot be read
    record Unreadable(RepositoryAddress repository, Kind kind, String reason) implements Divergence {
        static Unreadable of(RepositoryAddress repository, Kind kind, IOException cause) {
            // the message of some is only a path
            return new Unreadable(
                    repository,
                    kind,
                    cause instanceof FileSystemException || cause.getMessage() == null
                            ? cause.toString()
                            : cause.getMessage());
        }

        @Override
        public String ref() {
            return "*";
        }

        @Override
        public String word() {
            return "unreadable";
        }

        @Override
        public String sentence() {
            return (kind == Kind.OBJECTS ? "its objects were not looked at, as " : "it was not compared, as ") + reason
                    + "; mend that or bring it back from a backup, and check again";
        }

        @Override
        public boolean isRepairable() {
            return false;
        }
    }

    /// Something that a ref names or reaches is missing or damaged.
    ///
    /// @param problem the rest of a sentence that begins with the ref
    /// @param isElsewhere whether others of its name have what is missing
    record Incomplete(RepositoryAddress repository, RefName name, String problem, boolean isElsewhere)
            implements Divergence {
        /// The very object that the ref names.
        static Incomplete at(RepositoryAddress repository, RefName name, Oid target, boolean isElsewhere) {
            return new Incomplete(
                    repository, name, "names the object " + target + ", which cannot be read here", isElsewhere);
        }

        @Override
        public Kind kind() {
            return Kind.OBJECTS;
        }

        @Override
        public String ref() {
            return name.text();
        }

        @Override
        public String word() {
            return "incomplete";
        }

        @Override
        public String sentence() {
            return name + " " + problem
                    + (isElsewhere
                            ? "; another repository of its name has it, from where a repair brings it"
                            : "; bring its file back from a backup");
        }

        @Override
        public boolean isRepairable() {
            return isElsewhere;
        }
    }
}
