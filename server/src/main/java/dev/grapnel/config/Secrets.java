package dev.grapnel.config;

import java.util.Locale;

/// Keeps a secret that somebody put in a wrong place out of what is told about it.
final class Secrets {
    private Secrets() {}

    /// The text, or a word that stands for it.
    static String hide(String text) {
        return text.toLowerCase(Locale.ROOT).contains("nsec1") ? "(hidden, it looks like a secret key)" : text;
    }
}
