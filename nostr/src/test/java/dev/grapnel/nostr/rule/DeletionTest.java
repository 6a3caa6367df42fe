package dev.grapnel.nostr.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.url.ServiceAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DeletionTest {
    private static final SecretKey ANN = Samples.key(1);
    private static final SecretKey BOB = Samples.key(2);
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse("git.example.com", "/").require();

    @Test
    void ownEventsAreDeletedByIdWheneverTheyAreDated() {
        var older = Samples.event(ANN, 5, 1, List.of(), "");
        var newer = Samples.event(ANN, 500, 1, List.of(), "");
        var request = request(ANN, 100, e(older), e(newer));

        assertTrue(request.covers(older));
        assertTrue(request.covers(newer));
        assertFalse(request.covers(Samples.event(ANN, 5, 1, List.of(), "another")));
    }

    @Test
    void othersEventsAreUntouched() {
        var bobs = Samples.event(BOB, 5, 30617, List.of(List.of("d", "x")), "");
        var request = request(ANN, 100, e(bobs), List.of("a", "30617:" + BOB.publicKey() + ":x"));

        assertFalse(request.covers(bobs));
        assertEquals(Set.of(), request.addresses());
        assertEquals(Set.of(bobs.id()), request.ids());
    }

    @Test
    void anAddressDeletesVersionsUpToTheDateOfTheRequest() {
        var request = request(ANN, 100, List.of("a", "30617:" + ANN.publicKey() + ":x:y"));

        assertTrue(request.covers(repository(ANN, 99, "x:y")));
        assertTrue(request.covers(repository(ANN, 100, "x:y")));
        assertFalse(request.covers(repository(ANN, 101, "x:y")));
        assertFalse(request.covers(repository(ANN, 99, "x")));
        assertFalse(request.covers(repository(BOB, 99, "x:y")));
        assertFalse(request.covers(Samples.event(ANN, 99, 30618, List.of(List.of("d", "x:y")), "")));
    }

    @Test
    void textBehindTheSecondColonMeansNothingForReplaceableKinds() {
        for (var rest : List.of("", "whatever")) {
            var request = request(ANN, 100, List.of("a", "10002:" + ANN.publicKey() + ":" + rest));
            assertTrue(request.covers(Samples.event(ANN, 100, 10002, List.of(List.of("d", "z")), "")), rest);
        }
    }

    @Test
    void malformedAndOtherReferencesHaveNoEffect() {
        var key = ANN.publicKey().toString();
        var request = request(
                ANN,
                100,
                List.of("a", "30000"),
                List.of("a", "x:" + key + ":d"),
                List.of("a", "30617:" + key),
                List.of("a"),
                List.of("a", "1:" + key + ":"),
                List.of("a", "20001:" + key + ":"),
                List.of("e", "ABCD"),
                List.of("e"),
                List.of("k", "1"),
                List.of("p", key),
                List.of("E", "ab".repeat(32)));

        assertEquals(Set.of(), request.ids());
        assertEquals(Set.of(), request.addresses());
    }

    @Test
    void requestsToDeleteOrVanishCannotBeDeleted() {
        var deletion = Samples.event(ANN, 5, 5, List.of(), "");
        var vanish = Samples.event(ANN, 5, 62, List.of(List.of("relay", "ALL_RELAYS")), "");
        var request = request(ANN, 100, e(deletion), e(vanish));

        assertFalse(request.covers(deletion));
        assertFalse(request.covers(vanish));
    }

    @Test
    void aGiftWrapIsDeletableByItsRecipientAlone() {
        var wrap =
                Samples.event(BOB, 5, 1059, List.of(List.of("p", ANN.publicKey().toString())), "");
        var note = Samples.event(BOB, 5, 1, List.of(List.of("p", ANN.publicKey().toString())), "");

        assertTrue(request(ANN, 100, e(wrap)).covers(wrap));
        assertFalse(request(Samples.key(9), 100, e(wrap)).covers(wrap));
        assertFalse(request(ANN, 100, e(note)).covers(note));
    }

    @Test
    void targetsAreCountedOnceAndUpToTheLimit() {
        var most = new ArrayList<List<String>>();
        IntStream.range(0, DeletionRequest.TARGETS_MAX).forEach(i -> most.add(List.of("e", "%064x".formatted(i))));
        most.addAll(most.subList(0, 5));
        assertEquals(
                DeletionRequest.TARGETS_MAX, parse(ANN, 1, most).require().ids().size());

        most.add(List.of("a", "30617:" + ANN.publicKey() + ":x"));
        assertEquals(Parsed.invalid("too many targets"), parse(ANN, 1, most));
    }

    @Test
    void otherKindsAreNoRequests() {
        var note = Samples.event(ANN, 1, 1, List.of(List.of("relay", "ALL_RELAYS")), "");

        assertTrue(DeletionRequest.parse(note, 1).find().isEmpty());
        assertTrue(VanishRequest.parse(note).find().isEmpty());
    }

    @Test
    void aRequestToVanishNamesRelays() {
        for (var relay : List.of(
                "ALL_RELAYS",
                "wss://git.example.com",
                "WSS://Git.Example.com:443/",
                "ws://git.example.com/",
                "ws://git.example.com:80")) {
            assertTrue(vanish(relay).names(SERVICE), relay);
        }
        for (var relay : List.of(
                "all_relays",
                "ALL_RELAYS ",
                "",
                "wss://other.example.com",
                "wss://git.example.com:8080",
                "wss://git.example.com/other",
                "https://git.example.com",
                "git.example.com",
                "wss://git.example.com//")) {
            assertFalse(vanish(relay).names(SERVICE), relay);
        }
        assertTrue(VanishRequest.parse(Samples.event(ANN, 100, 62, List.of(), ""))
                .find()
                .isEmpty());
        var second =
                Samples.event(ANN, 100, 62, List.of(List.of("relay", "wss://a.b"), List.of("relay", "ALL_RELAYS")), "");
        assertTrue(VanishRequest.parse(second).require().names(SERVICE));
    }

    @Test
    void onlyTheFirstRelaysOfARequestToVanishAreLookedAt() {
        var tags = new ArrayList<List<String>>(
                Collections.nCopies(VanishRequest.RELAYS_MAX, List.of("relay", "wss://a.b")));
        tags.add(List.of("relay", "ALL_RELAYS"));
        assertFalse(VanishRequest.parse(Samples.event(ANN, 1, 62, tags, ""))
                .require()
                .names(SERVICE));
        tags.removeFirst();
        assertTrue(VanishRequest.parse(Samples.event(ANN, 1, 62, tags, ""))
                .require()
                .names(SERVICE));
    }

    @Test
    void aRequestToVanishCoversThePastOfItsAuthor() {
        var event = Samples.event(ANN, 100, 62, List.of(List.of("relay", "ALL_RELAYS")), "");
        var request = VanishRequest.parse(event).require();

        assertFalse(request.covers(event));
        assertTrue(request.covers(Samples.event(ANN, 100, 1, List.of(), "")));
        assertTrue(request.covers(Samples.event(ANN, 99, 5, List.of(), "")));
        assertTrue(request.covers(Samples.event(ANN, 99, 62, List.of(List.of("relay", "ALL_RELAYS")), "")));
        assertFalse(request.covers(Samples.event(ANN, 101, 1, List.of(), "")));
        assertFalse(request.covers(Samples.event(BOB, 99, 1, List.of(), "")));
        var toAnn = List.of(List.of("p", ANN.publicKey().toString()));
        assertTrue(request.covers(Samples.event(BOB, 99, 1059, toAnn, "")));
        assertFalse(request.covers(Samples.event(BOB, 101, 1059, toAnn, "")));
        assertFalse(request.covers(Samples.event(BOB, 99, 1, toAnn, "")));
    }

    private static VanishRequest vanish(String relay) {
        return VanishRequest.parse(Samples.event(ANN, 100, 62, List.of(List.of("relay", relay)), ""))
                .require();
    }

    private static Event repository(SecretKey key, long createdAt, String identifier) {
        return Samples.event(key, createdAt, 30617, List.of(List.of("d", identifier)), "");
    }

    private static List<String> e(Event event) {
        return List.of("e", event.id().toString());
    }

    @SafeVarargs
    private static DeletionRequest request(SecretKey key, long createdAt, List<String>... tags) {
        var list = new ArrayList<List<String>>();
        for (var tag : tags) {
            list.add(tag);
        }
        return parse(key, createdAt, list).require();
    }

    private static Parsed<DeletionRequest> parse(SecretKey key, long createdAt, List<List<String>> tags) {
        return DeletionRequest.parse(Samples.event(key, createdAt, 5, tags, ""), DeletionRequest.TARGETS_MAX);
    }
}
