package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.StoreSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Relays as announcements name them (sync R1.14).
final class RelayPlacesTest {
    private static final String NPUB = new Npub(StoreSamples.author(1)).text();

    private static List<String> relays(List<String> relays, String... clones) {
        var clone = new ArrayList<>(List.of("clone"));
        clone.addAll(List.of(clones));
        var named = Stream.concat(Stream.of("relays"), relays.stream()).toList();
        var event = StoreSamples.event(1, Kinds.ANNOUNCEMENT, 1, List.of(List.of("d", "x"), named, clone), "");
        return RelayPlaces.of(Announcement.parse(event).require()).stream()
                .map(RemoteUrl::text)
                .toList();
    }

    @Test
    void spellingsOfOneRelayAreOne() {
        assertEquals(
                List.of("wss://relay.example.org"),
                relays(List.of(
                        "wss://relay.example.org",
                        " wss://relay.example.org/ ",
                        "WSS://Relay.Example.org:443",
                        "relay.example.org")));
        assertEquals(
                List.of("ws://relay.example.org", "wss://relay.example.org/a?b=c", "wss://other.example.org"),
                relays(List.of(
                        "ws://relay.example.org:80", "wss://relay.example.org/a?b=c", "wss://other.example.org#top")));
    }

    @Test
    void whatIsNoRelayIsLeftOut() {
        assertEquals(
                List.of(),
                relays(List.of(
                        "https://relay.example.org",
                        "wss://me@relay.example.org",
                        "wss://",
                        "",
                        "wss://relay.example.org:22",
                        "wss://relay.example.org/" + "a".repeat(500))));
    }

    @Test
    void relaysOfTheOperatorMayHaveAnyPort() {
        assertEquals(
                "wss://relay:22",
                RelayPlaces.parseConfigured(" relay:22/ ").require().text());
    }

    /// Ordinary forges have no relay.
    @Test
    void graspServersAmongCloneAddressesAreRelays() {
        assertEquals(
                List.of("wss://one.example.org", "ws://two.example.org:8080/git", "wss://three.example.org"),
                relays(
                        List.of("wss://one.example.org"),
                        "https://one.example.org/" + NPUB + "/x.git",
                        "http://two.example.org:8080/git/" + NPUB + "/x.git",
                        "https://three.example.org/" + NPUB + "/x.git",
                        "https://forge.example.org/ann/x.git",
                        "https://forge.example.org/" + NPUB + "/x",
                        "git@forge.example.org:" + NPUB + "/x.git"));
    }
}
