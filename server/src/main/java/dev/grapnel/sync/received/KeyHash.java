package dev.grapnel.sync.received;

import dev.grapnel.nostr.Word256;

/// Hashes of ids, texts and dependencies in 64 bits. Seeded, so that strangers cannot choose collisions; the seed is
/// written down with the refused events, whose dependencies are kept as hashes. A collision wakes an event in vain,
/// no more.
final class KeyHash {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private long seed;

    KeyHash(long seed) {
        this.seed = seed;
    }

    long seed() {
        return seed;
    }

    /// Goes on with the seed of an earlier process; before anything was hashed.
    void adopt(long earlier) {
        seed = earlier;
    }

    long of(Dependency dependency) {
        return switch (dependency) {
            case Dependency.Maintainer(var person, var identifier) -> text(words(1, person), identifier);
            case Dependency.Authority(var person, var identifier) -> text(words(2, person), identifier);
            case Dependency.Unheld(var repository) ->
                text(words(3, repository.owner()), repository.identifier().text());
            case Dependency.AddressServed(var address) -> text(begin(4), address);
            case Dependency.EventServed(var id) -> words(5, id);
            case Dependency.AddressMentioned(var address) -> text(begin(6), address);
        };
    }

    /// Of a name that has nothing to do with dependencies.
    long of(String text) {
        return text(begin(7), text);
    }

    /// Of an id or a key as such.
    long of(Word256 word) {
        return words(8, word);
    }

    private long words(int domain, Word256 word) {
        long hash = mix(begin(domain) ^ word.a());
        hash = mix(hash ^ word.b());
        hash = mix(hash ^ word.c());
        return mix(hash ^ word.d());
    }

    private long begin(int domain) {
        return mix(seed ^ domain);
    }

    private static long text(long begin, String text) {
        long hash = mix(begin ^ text.length());
        for (int i = 0; i < text.length(); i += 4) {
            long bits = 0;
            for (int at = i; at < Math.min(i + 4, text.length()); at++) {
                bits = bits << 16 | text.charAt(at);
            }
            hash = mix(hash ^ bits);
        }
        return hash;
    }

    private static long mix(long bits) {
        return bits * MULTIPLIER ^ Math.unsignedMultiplyHigh(bits, MULTIPLIER);
    }
}
