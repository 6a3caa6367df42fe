package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.GitProgram;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.server.git.StockHost;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects come from git's own server, in both versions of the protocol. Numbers are rows of purgatory 11.
final class RemoteFetchTest {
    private static final Oid NOWHERE =
            Oid.parse("00000000000000000000000000000000000000aa").require();
    private static final RefName MAIN = new RefName("refs/heads/main");

    @TempDir
    private Path directory;

    private VisitSite site;
    private StockHost host;
    private Oid one;
    private Oid two;
    private Oid three;

    @BeforeEach
    void open() throws IOException {
        site = new VisitSite(directory);
        host = new StockHost(directory.resolve("elsewhere"));
        one = site.elsewhere.commit("one");
        two = site.elsewhere.commit("two", one);
        three = site.elsewhere.commit("three", two);
        site.point("main", three);
    }

    @AfterEach
    void close() throws IOException {
        host.close();
        site.close();
    }

    private WebTransport transport(boolean isVersion2) {
        return new WebTransport(host.url(site.remote()), isVersion2);
    }

    private void allowAnything() {
        site.elsewhere.run("config", "uploadpack.allowAnySHA1InWant", "true");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void advertisementHasEveryIdAndTheNamesThatWereAskedFor(boolean isVersion2) throws IOException {
        var tag = site.elsewhere.tag("v1", one);
        site.elsewhere.run("update-ref", "refs/tags/v1", tag.toString());
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            var found = visit.advertise(Set.of(MAIN, new RefName("refs/heads/other")));
            assertTrue(found.contains(three));
            assertTrue(found.contains(tag));
            assertTrue(found.contains(one), "what a tag stands for");
            assertFalse(found.contains(two));
            assertEquals(Optional.of(three), found.findTarget(MAIN));
            assertEquals(Optional.empty(), found.findTarget(new RefName("refs/heads/other")));
            assertEquals(Optional.empty(), found.findTarget(new RefName("refs/tags/v1")));
            assertEquals(4, found.size(), "HEAD, main, the tag and what it stands for");
            assertEquals(
                    isVersion2
                            ? List.of("GET info/refs?service=git-upload-pack", "POST git-upload-pack")
                            : List.of("GET info/refs?service=git-upload-pack"),
                    transport.requests());
            assertTrue(visit.bytesReceived() > 150);
        }
    }

    private Bytes fingerprint(boolean isVersion2) throws IOException {
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            return visit.advertise(Set.of()).fingerprint();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fingerprintChangesWithTheRefsAndWithNothingElse(boolean isVersion2) throws IOException {
        var before = fingerprint(isVersion2);
        allowAnything();
        assertEquals(before, fingerprint(isVersion2));
        site.point("other", two);
        assertNotEquals(before, fingerprint(isVersion2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repositoryWithoutRefsAdvertisesNothing(boolean isVersion2) throws IOException {
        site.elsewhere.run("update-ref", "-d", "refs/heads/main");
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            assertEquals(0, visit.advertise(Set.of(MAIN)).size());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void advertisedTipComesWithEverythingItReaches(boolean isVersion2) throws IOException {
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            var fetched = assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(three)));
            assertEquals(9, fetched.objects());
            assertTrue(visit.bytesReceived() > fetched.bytes());
        }
        assertEquals(List.of(three, two, one), site.whole(three, two, one));
        assertEquals(0, site.alice.refs().current().values().size());
        assertEquals(2, site.left().size(), "a pack and its index: " + site.left());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void annotatedTagComesWithWhatItStandsFor(boolean isVersion2) throws IOException {
        var tag = site.elsewhere.tag("v1", two);
        site.elsewhere.run("update-ref", "refs/tags/v1", tag.toString());
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(tag));
        }
        assertEquals(List.of(tag, two), site.whole(tag, two));
        assertFalse(site.hasHunted(three));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyWhatIsNotHereComes(boolean isVersion2) throws IOException {
        site.receive(two);
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport, VisitLimits.DEFAULTS, two)) {
            visit.advertise(Set.of());
            var fetched = assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(three)));
            assertEquals(3, fetched.objects(), "a commit, its tree and its file");
        }
        assertEquals(List.of(three), site.whole(three));
    }

    /// What is here was built upon something that the other side has, a while ago.
    /// What names nothing outside is whole without a further look, and nothing else is.
    @Test
    void onlyAPackThatRestsOnNothingIsKnownToBeWhole() throws IOException {
        site.receive(one);
        try (var transport = transport(true);
                var visit = site.visit(transport, VisitLimits.DEFAULTS, one)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(three));
        }
        assertFalse(site.isKnownWhole(three));
        site.repositories.hunting().delete(VisitSite.TOOL);
        try (var transport = transport(true);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(three));
        }
        assertTrue(site.isKnownWhole(three));
        assertFalse(site.isKnownWhole(NOWHERE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyWhatIsNotHereComesWhenBothSidesWentOn(boolean isVersion2) throws IOException {
        var ours = three;
        for (int i = 0; i < 50; i++) {
            ours = site.elsewhere.commit("ours " + i, ours);
        }
        site.receive(ours);
        var theirs = site.elsewhere.commit("theirs", three);
        site.point("main", theirs);
        site.elsewhere.run("gc", "--prune=now", "--quiet"); // what is ours is there no longer
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport, VisitLimits.DEFAULTS, ours)) {
            visit.advertise(Set.of());
            var fetched = assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(theirs)));
            assertTrue(fetched.objects() <= 9, "of 9 + 3 * 50 + 3 came " + fetched.objects());
        }
        assertEquals(List.of(theirs), site.whole(theirs));
    }

    /// P-663.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void packMayRestOnWhatWasFetchedBefore(boolean isVersion2) throws IOException {
        site.point("main", two);
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(two));
        }
        site.point("main", three);
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport, VisitLimits.DEFAULTS, two)) {
            visit.advertise(Set.of());
            var fetched = assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(three)));
            assertEquals(3, fetched.objects(), "a commit, its tree and its file");
        }
        assertEquals(List.of(three, two), site.whole(three, two));
        assertEquals(4, site.left().size());
    }

    /// Row 141.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unknownIdCostsThatIdOnly(boolean isVersion2) throws IOException {
        allowAnything();
        var other = site.elsewhere.commit("other");
        site.point("other", other);
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            assertEquals(new Fetched.Unknown(NOWHERE), visit.fetch(List.of(three, NOWHERE, other)));
            assertEquals(List.of(), site.left());
            assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(three, other)));
        }
        assertEquals(List.of(three, other), site.whole(three, NOWHERE, other));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idThatIsNotAdvertisedComesWhereThatIsAllowed(boolean isVersion2) throws IOException {
        allowAnything();
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            var found = visit.advertise(Set.of());
            assertEquals(isVersion2 ? Advertisement.Rest.UNTOLD : Advertisement.Rest.GIVEN, found.rest());
            assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(two)));
        }
        assertEquals(List.of(two), site.whole(two));
        assertFalse(site.hasHunted(three));
    }

    /// Row 142.
    @Test
    void serverThatGivesOnlyWhatItAdvertisesIsAskedForTheBranchOfThatName() throws IOException {
        try (var transport = transport(false);
                var visit = site.visit(transport)) {
            var found = visit.advertise(Set.of(MAIN));
            assertEquals(Advertisement.Rest.WITHHELD, found.rest());
            assertEquals(new Fetched.OnlyAdvertised(), visit.fetch(List.of(two)));
            assertEquals(1, transport.requests().size(), "it was not bothered");
            visit.fetch(List.of(found.findTarget(MAIN).orElseThrow()));
        }
        assertEquals(List.of(two), site.whole(two));
    }

    /// Row 166.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void historyWithZeroPaddedModesIsTaken(boolean isVersion2) throws IOException {
        var blob = site.elsewhere.feed("text", "hash-object", "-w", "--stdin");
        var inner = site.elsewhere.feed("100644 blob " + blob + "\tfile\n", "mktree");
        var raw = new ByteArrayOutputStream();
        raw.writeBytes("040000 directory\0".getBytes(StandardCharsets.ISO_8859_1));
        raw.writeBytes(HexFormat.of().parseHex(inner));
        var tree = new String(
                site.elsewhere.pipe(raw.toByteArray(), "hash-object", "--literally", "-t", "tree", "-w", "--stdin"),
                StandardCharsets.US_ASCII);
        var old = GitProgram.oid(site.elsewhere.run("commit-tree", tree.strip(), "-m", "old"));
        site.point("old", old);
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(old));
        }
        assertEquals(List.of(old), site.whole(old));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverWhoseHistoryIsCutOffIsOfNoUse(boolean isVersion2) throws IOException {
        site.elsewhere.run("config", "gc.auto", "0");
        Files.writeString(site.remote().resolve("shallow"), two + "\n");
        try (var transport = transport(isVersion2);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            var failure = assertThrows(VisitFailed.class, () -> visit.fetch(List.of(three)));
            assertEquals(new Fault.Unsuitable("its history is cut off"), failure.fault());
        }
        assertEquals(List.of(), site.left());
    }

    @Test
    void repositoryThatIsNotThereIsNotFound() throws IOException {
        try (var transport = new WebTransport(host.url(site.remote()) + "x", true);
                var visit = site.visit(transport)) {
            var failure = assertThrows(VisitFailed.class, () -> visit.advertise(Set.of()));
            assertEquals(new Fault.Status(404, Optional.empty()), failure.fault());
        }
    }

    @Test
    void visitBeginsWithTheAdvertisementAndAsksForSomeObjects() throws IOException {
        try (var transport = transport(true);
                var visit = site.visit(transport)) {
            assertThrows(IllegalStateException.class, () -> visit.fetch(List.of(three)));
            visit.advertise(Set.of());
            assertThrows(IllegalArgumentException.class, () -> visit.fetch(List.of()));
        }
    }
}
