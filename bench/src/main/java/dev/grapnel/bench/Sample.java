package dev.grapnel.bench;

import static java.util.Objects.requireNonNull;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Events of the sizes relay 7.1 names, made up but always the same, signed, and written as most clients send them.
public enum Sample {
    /// About 0.5 kB.
    STATUS('e', 'p') {
        @Override
        EventDraft draft(RandomGenerator random) {
            return dated(
                    Kinds.STATUS_OPEN,
                    List.of(List.of("e", Texts.hex(random, 64), "", "root"), List.of("p", Texts.hex(random, 64))),
                    "");
        }
    },
    /// About 2 kB.
    COMMENT('E', 'K') {
        @Override
        EventDraft draft(RandomGenerator random) {
            var root = Texts.hex(random, 64);
            var author = Texts.hex(random, 64);
            return dated(
                    Kinds.COMMENT,
                    List.of(
                            List.of("E", root, "wss://relay.example.com", author),
                            List.of("K", "1618"),
                            List.of("P", author, "wss://relay.example.com"),
                            List.of("e", root, "wss://relay.example.com", author),
                            List.of("k", "1618"),
                            List.of("p", author, "wss://relay.example.com")),
                    Texts.prose(random, 900));
        }
    },
    /// About 2 kB.
    ANNOUNCEMENT('d', 'r') {
        @Override
        EventDraft draft(RandomGenerator random) {
            return dated(
                    Kinds.ANNOUNCEMENT,
                    List.of(
                            List.of("d", "grapnel"),
                            List.of("r", Texts.hex(random, 40), "euc"),
                            List.of("name", "grapnel"),
                            List.of("description", Texts.prose(random, 850)),
                            List.of("web", "https://gitworkshop.example.com/grapnel"),
                            List.of(
                                    "clone",
                                    "https://git.example.com/npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266/grapnel.git",
                                    "https://other.example.org/npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266/grapnel.git"),
                            List.of("relays", "wss://git.example.com", "wss://other.example.org"),
                            List.of(
                                    "maintainers",
                                    Texts.hex(random, 64),
                                    Texts.hex(random, 64),
                                    Texts.hex(random, 64),
                                    Texts.hex(random, 64)),
                            List.of("t", "git"),
                            List.of("t", "nostr"),
                            List.of("alt", "git repository: grapnel")),
                    "");
        }
    },
    /// About 60 kB, most of it a diff.
    PATCH('a', 'r') {
        @Override
        EventDraft draft(RandomGenerator random) {
            var commit = Texts.hex(random, 40);
            return dated(
                    Kinds.PATCH,
                    List.of(
                            List.of("a", "30617:" + Texts.hex(random, 64) + ":grapnel"),
                            List.of("r", Texts.hex(random, 40)),
                            List.of("p", Texts.hex(random, 64)),
                            List.of("t", "root"),
                            List.of("commit", commit),
                            List.of("parent-commit", Texts.hex(random, 40)),
                            List.of("commit-pgp-sig", "")),
                    Texts.diff(random, commit, 57_000));
        }
    },
    /// About 100 kB: a thousand refs.
    STATE('d', 'a') {
        @Override
        EventDraft draft(RandomGenerator random) {
            var tags = new ArrayList<List<String>>();
            tags.add(List.of("d", "grapnel"));
            for (int i = 0; i < 1000; i++) {
                var name = i % 3 == 0
                        ? "refs/tags/releases/" + Texts.word(random) + "/v" + i / 100 + "." + i % 100 + ".0-candidate"
                        : "refs/heads/topic/" + Texts.word(random) + "-" + Texts.word(random) + "-" + Texts.word(random)
                                + "-" + i;
                tags.add(List.of(name, Texts.hex(random, 40)));
            }
            tags.add(List.of("HEAD", "ref: refs/heads/main"));
            return dated(Kinds.STATE, tags, "");
        }
    };

    private final char letter;
    private final char secondLetter;

    Sample(char letter, char secondLetter) {
        this.letter = letter;
        this.secondLetter = secondLetter;
    }

    /// The event.
    public Event event() {
        return requireNonNull(Events.ALL.get(this));
    }

    /// A tag letter clients look for it by.
    public char letter() {
        return letter;
    }

    /// Another one; states have none.
    public char secondLetter() {
        return secondLetter;
    }

    abstract EventDraft draft(RandomGenerator random);

    static EventDraft dated(int kind, List<List<String>> tags, String content) {
        return new EventDraft(1_750_000_000L + kind, kind, tags, content);
    }

    private static final class Events {
        static final Map<Sample, Event> ALL = new EnumMap<>(Sample.class);

        static {
            for (var sample : Sample.values()) {
                var draft = sample.draft(new Random(sample.name().hashCode()));
                ALL.put(sample, draft.sign(Texts.KEY, Bytes.wrap(new byte[32])));
            }
        }

        private Events() {}
    }
}
