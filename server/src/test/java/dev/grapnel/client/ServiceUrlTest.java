package dev.grapnel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import org.junit.jupiter.api.Test;

final class ServiceUrlTest {
    private static final PublicKey OWNER = PublicKey.of(new byte[32], 0);
    private static final String NPUB = new Npub(OWNER).text();

    @Test
    void relayAndRepositoriesOfOneServiceGoTogether() {
        var plain = ServiceUrl.parse("ws://127.0.0.1:7334").require();
        assertEquals("http://127.0.0.1:7334/" + NPUB + "/a%20b.git", plain.cloneUrl(OWNER, new Identifier("a b")));
        var safe = ServiceUrl.parse("https://git.example.com/base/").require();
        assertEquals("wss://git.example.com/base", safe.relayUrl());
        assertEquals("https://git.example.com/base/" + NPUB + "/x.git", safe.cloneUrl(OWNER, new Identifier("x")));
    }

    @Test
    void remoteOfGitTellsServiceOwnerAndIdentifier() {
        for (var server : new String[] {"ws://127.0.0.1:7334", "wss://git.example.com", "wss://git.example.com/a/b"}) {
            var service = ServiceUrl.parse(server).require();
            var name = new Identifier("a b.git ü?");
            var repository =
                    ServiceUrl.parseRemote(service.cloneUrl(OWNER, name)).require();
            assertEquals(new ServiceUrl.Repository(service, OWNER, name), repository);
        }
    }

    @Test
    void otherAddressesAreNone() {
        for (var text :
                new String[] {"127.0.0.1:7334", "ftp://example.com", "wss://user@example.com", "wss://example.com?x", ""
                }) {
            assertTrue(ServiceUrl.parse(text).find().isEmpty(), text);
        }
        for (var text : new String[] {
            "https://example.com/user/x.git", "https://example.com/" + NPUB + "/x", "https://example.com/x.git"
        }) {
            assertTrue(ServiceUrl.parseRemote(text).find().isEmpty(), text);
        }
    }
}
