package dev.grapnel.outbound;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.ServiceAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OwnAddressesTest {
    /// Row 114.
    @Test
    void hostAndPortThatAreMeantDecide() {
        var own = Urls.own("git.example.com");
        assertTrue(own.covers(Urls.git("https://GIT.example.com:443/x")));
        assertTrue(own.covers(Urls.git("http://git.example.com./x")));
        assertFalse(own.covers(Urls.git("https://mygit.example.com/x")));
        assertFalse(own.covers(Urls.git("https://git.example.com.evil.example/x")));
        assertFalse(own.covers(Urls.git("https://git.example.com:8443/x")));
        assertFalse(own.covers(Urls.git("https://other.example/git.example.com/x")));
    }

    /// Row 114.
    @Test
    void furtherDomainsAreOwnToo() {
        var service = ServiceAddress.parse("git.example.com:8080", "/").require();
        var own = OwnAddresses.of(service, List.of("old.example.com", "alias.example:8443"));
        assertTrue(own.covers(Urls.git("http://git.example.com:8080/x")));
        assertFalse(own.covers(Urls.git("http://git.example.com/x")));
        assertTrue(own.covers(Urls.git("https://old.example.com/x")));
        assertTrue(own.covers(Urls.git("https://alias.example:8443/x")));
        assertFalse(own.covers(Urls.git("https://alias.example/x")));
    }

    /// P-622.
    @Test
    void basePathCountsByWholeSegments() {
        var service = ServiceAddress.parse("git.example.com", "/grasp").require();
        var own = OwnAddresses.of(service, List.of("old.example.com"));
        assertTrue(own.covers(Urls.git("https://git.example.com/grasp/x")));
        assertTrue(own.covers(Urls.git("https://git.example.com/y/../grasp/x")));
        assertTrue(own.covers(Urls.git("https://old.example.com/%67rasp/x")));
        assertFalse(own.covers(Urls.git("https://git.example.com/grasping/x")));
        assertFalse(own.covers(Urls.git("https://git.example.com/x/grasp")));
    }
}
