package dev.grapnel.bench.load;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.key.SecretKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Makes signed events for subscribers, new ones each time, of one size and told from all others by a tag.
final class Bulletins {
    private static final Bytes NO_AUXILIARY = Bytes.wrap(new byte[32]);
    private static final List<String> WORDS = List.of("""
            the relay answers every question about a branch and its patches before anyone has read the second line of \
            this message while maintainers review what others proposed merge commits close issues and write notes on \
            releases that were tagged last week in several repositories with different histories""".split(" ", -1));

    private final int kind;
    private final List<List<String>> tags;
    private final int bytes;
    private final int authors;
    private final InstantSource clock;
    private final RandomGenerator random;

    /// @param tags added to every event, for relays that want them
    /// @param bytes of an event's JSON, if that is not less than it needs
    /// @param authors that take turns
    Bulletins(int kind, List<List<String>> tags, int bytes, int authors, InstantSource clock, RandomGenerator random) {
        this.kind = kind;
        this.tags = List.copyOf(tags);
        this.bytes = bytes;
        this.authors = authors;
        this.clock = clock;
        this.random = random;
    }

    int bytes() {
        return bytes;
    }

    /// Events in the order in which they are to be sent, how to find one by its id, and what all of them match.
    record Issue(List<byte[]> events, IdIndex index, String filter) {}

    /// Makes so many, on all cores.
    Issue post(int count) {
        var mark = "load-" + Long.toHexString(random.nextLong());
        long now = clock.instant().getEpochSecond();
        var keys = keys(Math.min(authors, count));
        var allTags = new ArrayList<>(tags);
        allTags.add(List.of("t", mark));
        int bare = new EventDraft(now, kind, allTags, "")
                .sign(keys.getFirst(), NO_AUXILIARY)
                .json()
                .length();
        var events = IntStream.range(0, count)
                .parallel()
                .mapToObj(i -> event(keys.get(i % keys.size()), allTags, now, i, bytes - bare))
                .toList();
        var index = new IdIndex(count);
        for (int i = 0; i < count; i++) {
            index.put(events.get(i).id().a(), i);
        }
        var filter = "{\"kinds\":[" + kind + "],\"#t\":[\"" + mark + "\"]}";
        return new Issue(events.stream().map(event -> event.json().toArray()).toList(), index, filter);
    }

    private List<SecretKey> keys(int count) {
        var keys = new ArrayList<SecretKey>();
        while (keys.size() < count) {
            var secret = new byte[32];
            random.nextBytes(secret);
            keys.add(SecretKey.of(secret).require());
        }
        return keys;
    }

    private Event event(SecretKey key, List<List<String>> allTags, long createdAt, int number, int length) {
        var lead = "number " + number + ": ";
        var content = lead + prose(number, length - lead.length());
        return new EventDraft(createdAt, kind, allTags, content).sign(key, NO_AUXILIARY);
    }

    /// Different for each event, and compressed about as well as people's text.
    private static String prose(int number, int length) {
        var chance = new SplittableRandom(number);
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(WORDS.get(chance.nextInt(WORDS.size()))).append(' ');
        }
        text.setLength(Math.max(0, length));
        return text.toString();
    }
}
