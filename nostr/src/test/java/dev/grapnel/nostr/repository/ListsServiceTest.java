package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The worked examples of service A.1 and their neighbours; npubA and npubB stand for the npubs of A and B.
final class ListsServiceTest {
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse("git.example.com", "/").require();

    @ParameterizedTest
    @CsvSource({
        "https://git.example.com/npubA/my%20repo.git, wss://git.example.com, true",
        "HTTP://GIT.example.com:80/npubA/my%20repo.git/, ws://git.example.com/, true",
        "https://git.example.com:8443/npubA/my%20repo.git, wss://git.example.com, false",
        "https://git.example.com/npubB/my%20repo.git, wss://git.example.com, false",
        "https://git.example.com.evil.org/npubA/my%20repo.git, wss://git.example.com, false",
        "https://evil.org/git.example.com/npubA/my%20repo.git, wss://git.example.com, false",
        "https://git.example.com/npubA/my%20repo.git, wss://relay.other.org, false",
        "https://u:p@git.example.com/npubA/my%20repo.git, wss://git.example.com, false",
        "https://git.example.com/npubA/my%2520repo.git, wss://git.example.com, false"
    })
    void workedExamplesHold(String clone, String relay, boolean lists) {
        assertEquals(lists, lists(clone, relay));
    }

    @ParameterizedTest
    @CsvSource({
        "https://git.example.com/npubA/my%20repo.git?x, false",
        "https://git.example.com/npubA/my%20repo.git#x, false",
        "https://git.example.com//npubA//my%20repo.git, true",
        "https://git.example.com/npubA/my%20repo, false",
        "https://git.example.com/npubA/my%20repo.git.git, false",
        "https://git.example.com/npubA/MY%20repo.git, false",
        "https://git.example.com/npubA/my+repo.git, false",
        "https://git.example.com/x/npubA/my%20repo.git, false",
        "https://git.example.com/npubA/my%20repo.git/x, false",
        "https://git.example.com/npubA%2Fmy%20repo.git, false",
        "https://git.example.com./npubA/my%20repo.git, true",
        "wss://git.example.com/npubA/my%20repo.git, false",
        "git.example.com/npubA/my%20repo.git, false",
        "junk, false"
    })
    void cloneUrlIsTheAuthorsOwnPath(String clone, boolean lists) {
        assertEquals(lists, lists(clone, "wss://git.example.com"));
    }

    @ParameterizedTest
    @CsvSource({
        "git.example.com, true",
        "git.example.com/, true",
        "git.example.com:443, true",
        "git.example.com., true",
        "wss://git.example.com.:443/, true",
        "git.example.com.., false",
        "git.example.com:80, false",
        "GIT.EXAMPLE.COM, true",
        "wss://git.example.com//, false",
        "wss://git.example.com/x, false",
        "https://git.example.com, false",
        "wss://git.example.com:80, false",
        "mygit.example.com, false",
        "'', false"
    })
    void relayUrlMayBeABareHost(String relay, boolean lists) {
        assertEquals(lists, lists("https://git.example.com/npubA/my%20repo.git", relay));
    }

    /// File systems and keyboards differ in how they write an umlaut; the name in DNS is one.
    @Test
    void hostMayBeWrittenInPiecesOrInOne() {
        var service = ServiceAddress.parse("b\u00fccher.example", "/").require();
        for (var host : List.of("b\u00fccher.example", "bu\u0308cher.example", "xn--bcher-kva.example")) {
            var clone = "https://" + host + service.repositoryPath(People.keyOf("A"), "my repo");
            assertEquals(
                    true,
                    ListsService.judge(
                            announcement(List.of("clone", clone), List.of("relays", "wss://" + host)), service),
                    host);
        }
    }

    @Test
    void oneOfSeveralValuesSuffices() {
        var announcement = announcement(
                List.of("clone", "junk", SERVICE.cloneUrl(Scheme.HTTPS, People.keyOf("A"), "my repo")),
                List.of("relays", "wss://other.org", SERVICE.relayUrl(Scheme.WSS)));
        assertEquals(true, ListsService.judge(announcement, SERVICE));
    }

    @Test
    void bothListsAreNeeded() {
        var clone = List.of("clone", SERVICE.cloneUrl(Scheme.HTTPS, People.keyOf("A"), "my repo"));
        var relays = List.of("relays", SERVICE.relayUrl(Scheme.WSS));
        assertEquals(true, ListsService.judge(announcement(clone, relays), SERVICE));
        assertEquals(false, ListsService.judge(announcement(clone, List.of("t", "x")), SERVICE));
        assertEquals(false, ListsService.judge(announcement(relays, List.of("t", "x")), SERVICE));
    }

    @Test
    void basePathBelongsToTheService() {
        var below = ServiceAddress.parse("git.example.com", "/base").require();
        var url = below.cloneUrl(Scheme.HTTPS, People.keyOf("A"), "my repo");
        var announcement = announcement(List.of("clone", url), List.of("relays", "wss://git.example.com/base/"));
        assertEquals(true, ListsService.judge(announcement, below));
        assertEquals(false, ListsService.judge(announcement, SERVICE));
        assertEquals(
                false,
                ListsService.judge(
                        announcement(List.of("clone", url), List.of("relays", "wss://git.example.com/")), below));
    }

    private static boolean lists(String clone, String relay) {
        var url = clone.replace("npubA", People.npubOf("A")).replace("npubB", People.npubOf("B"));
        return ListsService.judge(announcement(List.of("clone", url), List.of("relays", relay)), SERVICE);
    }

    private static Announcement announcement(List<String> clone, List<String> relays) {
        var tags = List.of(List.of("d", "my repo"), clone, relays);
        return Announcement.parse(People.sign("A", Kinds.ANNOUNCEMENT, 10, tags))
                .require();
    }
}
