package dev.grapnel.git.maintenance;

/// Something wrong with a repository.
public sealed interface Finding {
    /// What it is, for the operator.
    String sentence();

    /// There is no repository there.
    record NoRepository(String what) implements Finding {
        @Override
        public String sentence() {
            return "it is no git repository: " + what;
        }
    }

    /// A ref, or a line about refs, cannot be understood or leads nowhere.
    record BadRef(String ref, String problem) implements Finding {
        @Override
        public String sentence() {
            return "the ref " + ref + " " + problem;
        }
    }

    /// A pack cannot be read.
    record BadPack(String pack, String problem) implements Finding {
        @Override
        public String sentence() {
            return "the pack " + pack + " is damaged: " + problem;
        }
    }

    /// Something that refs reach is missing or damaged.
    record BadObject(String problem) implements Finding {
        @Override
        public String sentence() {
            return "history is incomplete: " + problem;
        }
    }

    /// A file that nobody needs. The server sweeps it sooner or later.
    record Leftover(String file) implements Finding {
        @Override
        public String sentence() {
            return "the file " + file + " was left behind by something that did not finish";
        }
    }
}
