package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.file.Path;

/// A pack or its index is not what it must be. The message is a sentence.
public final class BrokenPack extends IOException {
    private static final long serialVersionUID = 1;

    private final String sentence;

    BrokenPack(Path file, String problem) {
        this(file.getFileName() + " " + problem);
    }

    private BrokenPack(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    /// Which file, and what is wrong with it.
    String sentence() {
        return sentence;
    }
}
