package dev.grapnel.server.live;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.TagCondition;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/// The keys under which filters are found. Since all conditions of a filter must hold, one of them is enough to
/// find it by: its anchor, the one expected to be rarest.
///
/// Keys are hashes: what is found by one is tested in full anyway, and thousands of values cost little memory.
final class Anchors {
    /// Values of these letters belong to few events; those of the common ones name people, kinds and topics.
    private static final String RARE_LETTERS = "daAeEqrc";

    private static final String COMMON_LETTERS = "pPKkt";

    private static final Comparator<TagCondition> BY_RARITY = Comparator.<TagCondition>comparingInt(
                    condition -> rank(condition.letter()))
            .thenComparingInt(condition -> condition.values().size());

    /// Keeps apart what different conditions ask for.
    private static final long ID = 0x6a09e667f3bcc908L;

    private static final long AUTHOR = 0xbb67ae8584caa73bL;
    private static final long KIND = 0x3c6ef372fe94f82bL;
    private static final long TAG = 0xa54ff53a5f1d36f1L;
    private static final long ANYTHING = 0x510e527fade682d1L;
    /// Values are chosen by strangers: they must not know what falls together.
    private static final long SEED = new SecureRandom().nextLong();

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private Anchors() {}

    /// The keys of a filter; none if it can never match.
    static long[] of(Filter filter) {
        if (filter.isNever()) {
            return new long[0];
        }
        if (filter.ids().isPresent()) {
            return words(ID, filter.ids().get());
        }
        Optional<TagCondition> rarest = filter.tags().stream().min(BY_RARITY);
        if (rarest.isPresent()) {
            char letter = rarest.get().letter();
            return LongStream.of(rarest.get().values().hashes())
                    .map(hash -> tag(letter, hash))
                    .toArray();
        }
        if (filter.authors().isPresent()) {
            return words(AUTHOR, filter.authors().get());
        }
        return filter.kinds()
                .map(kinds -> kinds.stream().mapToLong(Anchors::kind).toArray())
                .orElseGet(() -> new long[] {ANYTHING});
    }

    /// Every key under which a filter may be found that matches this event.
    static void forEach(Event event, LongConsumer visitor) {
        visitor.accept(word(ID, event.id()));
        visitor.accept(word(AUTHOR, event.author()));
        visitor.accept(kind(event.kind()));
        event.tags().forEachLetteredHash((letter, hash) -> visitor.accept(tag(letter, hash)));
        visitor.accept(ANYTHING);
    }

    private static int rank(char letter) {
        if (RARE_LETTERS.indexOf(letter) >= 0) {
            return 0;
        }
        return COMMON_LETTERS.indexOf(letter) >= 0 ? 2 : 1;
    }

    private static long[] words(long salt, List<? extends Word256> words) {
        return words.stream().mapToLong(word -> word(salt, word)).toArray();
    }

    private static long word(long salt, Word256 word) {
        return mix(mix(mix(mix(SEED ^ salt ^ word.a()) ^ word.b()) ^ word.c()) ^ word.d());
    }

    private static long kind(int kind) {
        return mix(SEED ^ KIND ^ kind);
    }

    private static long tag(char letter, long hash) {
        return mix(SEED ^ TAG ^ hash ^ (long) letter << 32);
    }

    private static long mix(long bits) {
        return bits * MULTIPLIER ^ Math.unsignedMultiplyHigh(bits, MULTIPLIER);
    }
}
