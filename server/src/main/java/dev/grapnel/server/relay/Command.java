package dev.grapnel.server.relay;

import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.server.relay.RelayMeter.Incoming;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Guesses from its first bytes what a message is, before it is read: what is over its rate shall cost little,
/// and what cannot be read is counted too.
final class Command {
    private static final List<Word> WORDS = List.of(
            new Word("EVENT", Incoming.EVENT),
            new Word("REQ", Incoming.REQ),
            new Word("CLOSE", Incoming.CLOSE),
            new Word("COUNT", Incoming.COUNT),
            new Word("AUTH", Incoming.AUTH),
            new Word("NEG-OPEN", Incoming.NEG_OPEN),
            new Word("NEG-MSG", Incoming.NEG_MSG),
            new Word("NEG-CLOSE", Incoming.NEG_CLOSE));

    private static final int LENGTH_MAX = 9;
    private static final int DEPTH_MAX = 1;

    private Command() {}

    /// A command with its quotes.
    private static final class Word {
        private final String word;
        private final byte[] quoted;
        private final Incoming type;

        Word(String word, Incoming type) {
            this.word = word;
            this.quoted = ('"' + word + '"').getBytes(StandardCharsets.US_ASCII);
            this.type = type;
        }

        boolean standsAt(byte[] message, int at, int length) {
            if (length - at < quoted.length) {
                return false;
            }
            for (int i = 0; i < quoted.length; i++) {
                if (message[at + i] != quoted[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    static Incoming guess(byte[] message, int length) {
        int at = skipSpace(message, 0, length);
        if (at == length || message[at] != '[') {
            return Incoming.OTHER;
        }
        at = skipSpace(message, at + 1, length);
        for (var word : WORDS) {
            if (word.standsAt(message, at, length)) {
                return word.type;
            }
        }
        return isEscaped(message, at, length) ? guessEscaped(message, length) : Incoming.OTHER;
    }

    private static boolean isEscaped(byte[] message, int from, int length) {
        for (int at = from + 1; at < length && message[from] == '"' && message[at] != '"'; at++) {
            if (message[at] == '\\') {
                return true;
            }
        }
        return false;
    }

    /// Nobody writes a command with escapes but to slip past a limit; it means the same.
    private static Incoming guessEscaped(byte[] message, int length) {
        var scanner = new JsonScanner(message, 0, length, DEPTH_MAX);
        if (scanner.next() != JsonToken.BEGIN_ARRAY
                || scanner.next() != JsonToken.STRING
                || scanner.hasLoneSurrogate()
                || scanner.decodedLength() > LENGTH_MAX) {
            return Incoming.OTHER;
        }
        var text = scanner.text();
        return WORDS.stream()
                .filter(word -> word.word.equals(text))
                .map(word -> word.type)
                .findFirst()
                .orElse(Incoming.OTHER);
    }

    private static int skipSpace(byte[] message, int from, int length) {
        int at = from;
        while (at < length
                && (message[at] == ' ' || message[at] == '\n' || message[at] == '\r' || message[at] == '\t')) {
            at++;
        }
        return at;
    }
}
