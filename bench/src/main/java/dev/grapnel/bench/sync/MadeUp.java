package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.world.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// A server's repositories by number: half of them name the first relay, all name five, and one root in twenty
/// names two.
final class MadeUp {
    private static final int OWNERS_SHARE = 4;
    private static final int RELAYS_EACH = 5;

    private final int repos;
    private final int roots;
    private final List<RemoteUrl> urls = new ArrayList<>();

    MadeUp(int repos, int roots, int relays) {
        this.repos = repos;
        this.roots = roots;
        for (int relay = 0; relay < relays; relay++) {
            urls.add(RemoteUrl.parse("wss://relay" + relay + ".example.com", UrlShape.relay())
                    .require());
        }
    }

    private static EventId id(long kind, long number) {
        var words = new SplittableRandom(kind << 40 | number);
        return new EventId(words.nextLong(), words.nextLong(), words.nextLong(), words.nextLong());
    }

    private RepositoryAddress repo(int number) {
        var words = new SplittableRandom(number % Math.max(1, repos / OWNERS_SHARE));
        var owner = new PublicKey(words.nextLong(), words.nextLong(), words.nextLong(), words.nextLong());
        return new RepositoryAddress(owner, new Identifier("project-" + number));
    }

    Mutation announcement(int number) {
        return announcement(number, 0);
    }

    /// Another version, with other relays.
    Mutation announcement(int number, int version) {
        var chance = new SplittableRandom(number * 31L + version);
        var named = new ArrayList<RemoteUrl>();
        if (chance.nextBoolean()) {
            named.add(urls.getFirst());
        }
        while (named.size() < RELAYS_EACH) {
            named.add(urls.get(chance.nextInt(urls.size())));
        }
        return new Mutation.Announced(repo(number), id(version + 10, number), named);
    }

    Mutation root(int number) {
        var chance = new SplittableRandom(number);
        var named = new ArrayList<RepositoryAddress>();
        named.add(repo(chance.nextInt(repos)));
        if (chance.nextInt(20) == 0) {
            named.add(repo(chance.nextInt(repos)));
        }
        return new Mutation.RootServed(id(1, number), number, named);
    }

    /// Nine of ten answer a root, the others another member.
    Mutation member(int number) {
        var chance = new SplittableRandom(number);
        boolean isDeep = number > 100 && chance.nextInt(10) == 0;
        var parent = isDeep ? id(2, chance.nextInt(number)) : id(1, chance.nextInt(roots));
        return new Mutation.MemberServed(id(2, number), number, Optional.empty(), List.of(parent), List.of());
    }
}
