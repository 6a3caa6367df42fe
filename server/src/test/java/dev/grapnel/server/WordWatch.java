package dev.grapnel.server;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Watches the words of every refusal that a server says to a client in any test. Other programs search them
/// (relay 2.2): a word that means something else to them keeps them away for a day.
final class WordWatch {
    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    /// In CLOSED, NOTICE and NEG-ERR.
    private static final Pattern LASTING = Pattern.compile(
            "(?i)blocked|restricted|member|too many|throttl|unsupported filter|filter validation failed");

    /// In NOTICE: taken as a sign that there is no negentropy here.
    private static final Pattern NO_NEGENTROPY = Pattern.compile("(?i)NEG-|negentropy|envelope");

    /// Where exactly that is meant.
    private static final Set<String> MEANT = Set.of(
            "rate-limited: too many subscriptions, close some first",
            "rate-limited: too many negentropy sessions",
            "blocked: this query is too big",
            "restricted: these kinds are counted for their authors and recipients only, and you named others",
            "unsupported: bad msg: unknown cmd, negentropy disabled");

    private WordWatch() {}

    /// @throws AssertionError if this should not have been said
    static void watch(String json) {
        if (Stream.of("CLOSED", "NOTICE", "NEG-ERR", "OK").noneMatch(word -> json.startsWith("[\"" + word + "\""))) {
            return;
        }
        if (!(READER.read(json.getBytes(StandardCharsets.UTF_8)) instanceof ParsedRelayMessage.Read(var message))) {
            throw new AssertionError("not understood: " + json);
        }
        if (!message.json().equals(utf8(json))) {
            throw new AssertionError("not in the form of relay 2.2: " + json); // OK has four elements, always
        }
        switch (message) {
            case RelayMessage.Closed(var _, var text) -> check(text, LASTING);
            case RelayMessage.NegError(var _, var text, var _) -> check(text, LASTING);
            case RelayMessage.Notice(var text) -> {
                check(text, LASTING);
                check(text, NO_NEGENTROPY);
            }
            case RelayMessage.Ok(var _, var accepted, var text) -> {
                if (!accepted && text.isEmpty()) {
                    throw new AssertionError("a refusal without a reason: " + json);
                }
            }
            case RelayMessage _ -> throw new AssertionError(json);
        }
    }

    private static Bytes utf8(String json) {
        return Bytes.wrap(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(String text, Pattern words) {
        if (words.matcher(text).find() && !MEANT.contains(text)) {
            throw new AssertionError("other programs misread this: " + text);
        }
    }
}
