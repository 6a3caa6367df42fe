package dev.grapnel.nostr;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.key.SecretKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Events to try things on, the same in every run.
public final class Samples {
    /// The key of the specification's generated vectors.
    public static final SecretKey KEY = SecretKey.parse("0".repeat(63) + "3").require();

    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);

    private Samples() {}

    /// A signed event.
    public static Event event(long createdAt, int kind, List<List<String>> tags, String content) {
        return event(KEY, createdAt, kind, tags, content);
    }

    /// A signed event by somebody.
    public static Event event(SecretKey key, long createdAt, int kind, List<List<String>> tags, String content) {
        return new EventDraft(createdAt, kind, tags, content).sign(key, NO_AUXILIARY);
    }

    /// A signed event of kind 1.
    public static Event note(String content, List<List<String>> tags) {
        return event(1_700_000_000, 1, tags, content);
    }

    /// The event a text must be.
    public static Event read(String json) {
        return ((ParsedEvent.Valid) new EventReader(EventLimits.DEFAULTS).read(utf8(json))).event();
    }

    /// The same key for the same number.
    public static SecretKey key(int number) {
        return SecretKey.parse("%064x".formatted(number + 1)).require();
    }

    /// UTF-8 bytes.
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// A text of up to `lengthMax` characters of every sort: plain, escaped, wide, control, astral.
    public static String text(RandomGenerator random, int lengthMax) {
        var text = new StringBuilder();
        int length = random.nextInt(lengthMax + 1);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(character(random));
        }
        return text.toString();
    }

    private static int character(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(0x20);
            case 1 -> "\"\\/\u007f\u2028".charAt(random.nextInt(5));
            case 2 -> random.nextInt(0x80, 0xd800);
            case 3 -> random.nextInt(0xe000, 0x110000);
            default -> random.nextInt(0x20, 0x7f);
        };
    }

    /// Random tags, names mostly single letters.
    public static List<List<String>> tags(RandomGenerator random, int tagsMax) {
        var tags = new ArrayList<List<String>>();
        int count = random.nextInt(tagsMax + 1);
        for (int i = 0; i < count; i++) {
            var tag = new ArrayList<String>();
            tag.add(random.nextBoolean() ? "" + "adeptEAP".charAt(random.nextInt(8)) : text(random, 3));
            int values = random.nextInt(4);
            for (int k = 0; k < values; k++) {
                tag.add(text(random, 12));
            }
            tags.add(tag);
        }
        return tags;
    }
}
