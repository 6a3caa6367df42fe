package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;

/// Why a push does not lead to what a state declares, one ref each (service 6.6).
sealed interface Difference {
    RefName ref();

    /// One line for whoever pushed.
    String text();

    /// Another object is declared.
    ///
    /// @param declared as the state has it, which need not be an id
    record OtherObject(RefName ref, Oid pushed, String declared) implements Difference {
        @Override
        public String text() {
            return ref + " would be at " + Reasons.start(pushed) + " but state declares " + Reasons.start(declared);
        }
    }

    /// The state does not have it, or has set it aside.
    record NotDeclared(RefName ref) implements Difference {
        @Override
        public String text() {
            return ref + " is pushed but not declared in the state";
        }
    }

    /// It shall stay.
    record DeletesDeclared(RefName ref) implements Difference {
        @Override
        public String text() {
            return ref + " is declared in the state but the push deletes it";
        }
    }

    /// Its object is neither here nor pushed.
    record Missing(RefName ref, String declared) implements Difference {
        @Override
        public String text() {
            return ref + " missing (state declares " + Reasons.start(declared) + ")";
        }
    }

    /// No push can help: a branch is at something that no branch may be at.
    record NoCommit(RefName ref, Oid declared) implements Difference {
        @Override
        public String text() {
            return ref + " is a branch but the state declares " + Reasons.start(declared) + ", which is no commit";
        }
    }
}
