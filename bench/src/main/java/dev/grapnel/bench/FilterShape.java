package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The hot shapes of relay 7.2. A filter that is to miss meets the event in everything but its last condition.
public enum FilterShape {
    KINDS {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().kinds(values.kinds(sample));
        }
    },
    KINDS_TAG_1 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().kinds(kinds(sample)).tag(sample.letter(), values.tags(sample, sample.letter(), 1));
        }
    },
    KINDS_TAG_100 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder()
                    .kinds(kinds(sample))
                    .tag(sample.letter(), values.tags(sample, sample.letter(), 100));
        }
    },
    KINDS_TAG_2000 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder()
                    .kinds(kinds(sample))
                    .tag(sample.letter(), values.tags(sample, sample.letter(), 2000));
        }
    },
    TAG_100 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().tag(sample.letter(), values.tags(sample, sample.letter(), 100));
        }
    },
    TAG_2000 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().tag(sample.letter(), values.tags(sample, sample.letter(), 2000));
        }
    },
    KINDS_AUTHORS_100 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().kinds(kinds(sample)).authors(values.authors(sample, 100));
        }
    },
    KINDS_AUTHORS_TAG {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder()
                    .kinds(kinds(sample))
                    .authors(List.of(sample.event().author()))
                    .tag(sample.letter(), values.tags(sample, sample.letter(), 1));
        }
    },
    KINDS_TWO_LETTERS {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            var first = new Values(true, new Random(1)).tags(sample, sample.letter(), 1);
            return Filter.builder()
                    .kinds(kinds(sample))
                    .tag(sample.letter(), first)
                    .tag(sample.secondLetter(), values.tags(sample, sample.secondLetter(), 3));
        }
    },
    IDS_500 {
        @Override
        Filter.Builder filter(Sample sample, Values values) {
            return Filter.builder().ids(values.ids(sample, 500));
        }
    };

    abstract Filter.Builder filter(Sample sample, Values values);

    /// A filter of this shape.
    Filter filter(Sample sample, boolean hit) {
        return filter(sample, new Values(hit, new Random(name().hashCode()))).build();
    }

    private static int[] kinds(Sample sample) {
        return new int[] {sample.event().kind(), 5, 1, 65_000};
    }

    /// Made-up alternatives, among them the event's own if the filter is to match.
    record Values(boolean hit, RandomGenerator random) {
        int[] kinds(Sample sample) {
            return hit ? FilterShape.kinds(sample) : new int[] {5, 1, 65_000};
        }

        List<EventId> ids(Sample sample, int count) {
            return list(sample.event().id(), count, hex -> EventId.parse(hex).require());
        }

        List<PublicKey> authors(Sample sample, int count) {
            return list(
                    sample.event().author(), count, hex -> PublicKey.parse(hex).require());
        }

        List<String> tags(Sample sample, char letter, int count) {
            var own = sample.event().tags().findValue(String.valueOf(letter)).orElse("");
            return list(own, count, hex -> switch (letter) {
                case 'd' -> "project-" + hex.substring(0, 8);
                case 'a' -> "30617:" + hex + ":project";
                case 'K' -> "1" + Integer.parseInt(hex.substring(0, 3), 16);
                default -> hex.substring(0, Math.max(own.length(), 1));
            });
        }

        private <T> List<T> list(T own, int count, Function<String, T> make) {
            var others = IntStream.range(0, hit ? count - 1 : count).mapToObj(_ -> make.apply(Texts.hex(random, 64)));
            return hit ? Stream.concat(Stream.of(own), others).toList() : others.toList();
        }
    }
}
