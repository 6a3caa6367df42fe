package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.git.client.Transport.Awaited;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers built on JGit, such as Gerrit, speak the protocol in their own way.
final class LibraryServerTest {
    private static final Oid NOWHERE =
            Oid.parse("00000000000000000000000000000000000000aa").require();

    @TempDir
    private Path directory;

    /// Row 141.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unknownIdCostsThatIdOnly(boolean isVersion2) throws IOException {
        try (var site = new VisitSite(directory)) {
            site.elsewhere.run("config", "uploadpack.allowAnySHA1InWant", "true");
            var one = site.elsewhere.commit("one");
            var two = site.elsewhere.commit("two", one);
            site.point("main", two);
            try (var transport = new LibraryTransport(site.remote(), isVersion2);
                    var visit = site.visit(transport)) {
                visit.advertise(Set.of());
                assertEquals(new Fetched.Unknown(NOWHERE), visit.fetch(List.of(two, NOWHERE)));
                assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(two)));
                // P-665: only packs may take long to begin
                assertEquals(
                        isVersion2
                                ? List.of(Awaited.REFS, Awaited.PACK, Awaited.PACK)
                                : List.of(Awaited.PACK, Awaited.PACK),
                        transport.awaited());
            }
            assertEquals(List.of(one, two), site.whole(one, two));
        }
    }
}
