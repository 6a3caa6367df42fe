package dev.grapnel.git;

import java.util.Optional;

/// What a git object is. The number is that of the pack format.
public enum ObjectType {
    COMMIT(1, "commit"),
    TREE(2, "tree"),
    BLOB(3, "blob"),
    TAG(4, "tag");

    private final int number;
    private final String word;

    ObjectType(int number, String word) {
        this.number = number;
        this.word = word;
    }

    /// The type with this number, unless it stands for something else, such as a delta.
    public static Optional<ObjectType> find(int number) {
        return switch (number) {
            case 1 -> Optional.of(COMMIT);
            case 2 -> Optional.of(TREE);
            case 3 -> Optional.of(BLOB);
            case 4 -> Optional.of(TAG);
            default -> Optional.empty();
        };
    }

    /// In packs.
    public int number() {
        return number;
    }

    /// In the head of an object, which is hashed with it.
    public String word() {
        return word;
    }
}
