package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.sync.world.Mutation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Made-up names.
final class Samples {
    private Samples() {}

    static EventId id(long number) {
        return new EventId(number * 0x9e37_79b9_7f4a_7c15L, number, 7, number);
    }

    static PublicKey key(long number) {
        return new PublicKey(number, 0, 0, number);
    }

    static RepositoryAddress repo(int owner, String identifier) {
        return new RepositoryAddress(key(owner), new Identifier(identifier));
    }

    static RemoteUrl url(int number) {
        return RemoteUrl.parse("wss://relay" + number + ".example.com", UrlShape.relay())
                .require();
    }

    static List<RemoteUrl> urls(int... numbers) {
        return Arrays.stream(numbers).mapToObj(Samples::url).toList();
    }

    static Mutation.Announced announced(RepositoryAddress repository, int... relays) {
        return new Mutation.Announced(repository, announcementId(repository, relays), urls(relays));
    }

    private static EventId announcementId(RepositoryAddress repository, int... relays) {
        return new EventId(repository.hashCode(), Arrays.hashCode(relays), 1, 1);
    }

    static Mutation.RootServed root(long id, RepositoryAddress... repositories) {
        return new Mutation.RootServed(id(id), 1000 + id, List.of(repositories));
    }

    static Mutation.MemberServed member(long id, long createdAt, long... events) {
        return new Mutation.MemberServed(
                id(id),
                createdAt,
                Optional.empty(),
                Arrays.stream(events).mapToObj(Samples::id).toList(),
                List.of());
    }

    static Mutation.MemberServed addressed(long id, String address, long... events) {
        var plain = member(id, 1, events);
        return new Mutation.MemberServed(plain.id(), 1, Optional.of(address), plain.events(), List.of());
    }

    static Mutation.MemberServed toAddress(long id, String... addresses) {
        return new Mutation.MemberServed(
                id(id), 1, Optional.empty(), List.of(), Stream.of(addresses).toList());
    }

    static Mutation.Left left(long id) {
        return new Mutation.Left(id(id));
    }
}
