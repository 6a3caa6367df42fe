package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.client.Fetched;
import dev.grapnel.git.client.VisitSite;
import dev.grapnel.git.client.WebTransport;
import dev.grapnel.git.push.PushLimits;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One Grapnel fetches from another.
final class GrapnelAsRemoteTest {
    private static final Oid NOWHERE =
            Oid.parse("00000000000000000000000000000000000000aa").require();

    @TempDir
    private Path directory;

    /// Rows 141 and 142: what refs reach comes, advertised or not, and what is unknown costs that id only.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everythingThatRefsReachComes(boolean isVersion2) throws IOException {
        try (var site = new VisitSite(directory.resolve("ours"));
                var host = new GitSite(
                        directory.resolve("theirs"),
                        GitConfig.of(1, 256L << 20, PushLimits.DEFAULTS),
                        Duration.ofSeconds(30),
                        _ -> false)) {
            GitProgram git = site.elsewhere();
            var one = git.commit("one");
            var two = git.commit("two", one);
            var tag = git.tag("v1", one);
            git.run("push", "--quiet", host.url("repo"), two + ":refs/heads/main", tag + ":refs/tags/v1");
            try (var transport = new WebTransport(host.url("repo"), isVersion2);
                    var visit = site.visit(transport)) {
                var main = new RefName("refs/heads/main");
                var found = visit.advertise(Set.of(main));
                assertEquals(Optional.of(two), found.findTarget(main));
                assertTrue(found.contains(tag));
                assertTrue(found.contains(one));
                assertEquals(new Fetched.Unknown(NOWHERE), visit.fetch(List.of(one, NOWHERE)));
                assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(one)));
                assertEquals(List.of(one), site.whole(one, two));
                assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(two, tag)));
            }
            assertEquals(List.of(one, two, tag), site.whole(one, two, tag));
        }
    }
}
