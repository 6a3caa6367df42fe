package dev.grapnel.git.client;

import java.io.IOException;

/// The server says that it failed, wherever it does. Outside this package it is an answer or a [Fault].
final class Complained extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int WORDS_MAX = 200;

    private final String words;

    Complained(String words) {
        super("the server said that it failed");
        this.words = words.length() > WORDS_MAX ? words.substring(0, WORDS_MAX) : words;
    }

    /// A stranger's.
    String words() {
        return words;
    }
}
