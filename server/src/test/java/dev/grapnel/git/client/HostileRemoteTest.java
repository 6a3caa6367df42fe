package dev.grapnel.git.client;

import static dev.grapnel.git.client.ScriptedServer.advertisement;
import static dev.grapnel.git.client.ScriptedServer.band;
import static dev.grapnel.git.client.ScriptedServer.both;
import static dev.grapnel.git.client.ScriptedServer.endless;
import static dev.grapnel.git.client.ScriptedServer.greeting;
import static dev.grapnel.git.client.ScriptedServer.lines;
import static dev.grapnel.git.client.ScriptedServer.pack;
import static dev.grapnel.git.client.ScriptedServer.refs;
import static dev.grapnel.git.client.ScriptedServer.result;
import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.ObjectType;
import dev.grapnel.git.client.ScriptedServer.Script;
import dev.grapnel.git.pack.PackBuilder;
import dev.grapnel.git.pack.PackLimits;
import dev.grapnel.git.repository.HuntingLimits;
import dev.grapnel.git.repository.NoRoom;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.LogWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Packs that harm, and servers that never end: each stopped at once, and nothing of it left. Numbers are
/// rows of purgatory 11.
@Timeout(60)
final class HostileRemoteTest {
    private static final byte[] COMMIT = commit(idOf(ObjectType.TREE, new byte[0]));
    private static final Oid ID = idOf(ObjectType.COMMIT, COMMIT);
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    private Path directory;

    private VisitSite site;

    @BeforeEach
    void open() throws IOException {
        site = new VisitSite(directory);
    }

    @AfterEach
    void close() throws IOException {
        site.close();
    }

    private static byte[] commit(Oid tree) {
        return bytes("tree " + tree + "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\nx\n");
    }

    /// A pack with the commit that is asked for, and more.
    private static PackBuilder builder() {
        return new PackBuilder().add(ObjectType.TREE, new byte[0]).add(ObjectType.COMMIT, COMMIT);
    }

    private static VisitLimits limits(PackLimits pack) {
        return new VisitLimits(16 * MEBIBYTE, pack, HuntingLimits.DEFAULTS);
    }

    private static PackLimits limits(long bytes, long objects, long objectBytes, long resolved) {
        var all = PackLimits.DEFAULTS;
        return new PackLimits(
                bytes,
                objects,
                objectBytes,
                all.wholeBytes(),
                all.inflatedBytes(),
                all.deltaDepth(),
                new PackLimits.Resolved(resolved, 0, resolved));
    }

    /// What becomes of a fetch that is answered like this.
    private Fault fault(VisitLimits limits, Script answer) throws IOException {
        try (var server = new ScriptedServer(greeting(), refs(ID), answer);
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport, limits)) {
            visit.advertise(Set.of());
            var fault = assertThrows(VisitFailed.class, () -> visit.fetch(List.of(ID)))
                    .fault();
            assertEquals(List.of(), site.left());
            assertEquals(0, site.repositories.hunting().bytes());
            return fault;
        }
    }

    private Fault fault(Script answer) throws IOException {
        return fault(VisitLimits.DEFAULTS, answer);
    }

    private void assertHostile(String reason, byte[] pack) throws IOException {
        assertEquals(new Fault.Hostile(reason), fault(pack(pack)));
    }

    private void assertHostile(String reason, PackLimits limits, byte[] pack) throws IOException {
        assertEquals(new Fault.Hostile(reason), fault(limits(limits), pack(pack)));
    }

    // ---- packs

    @Test
    void honestPackIsTaken() throws IOException {
        try (var server =
                        new ScriptedServer(greeting(), refs(ID), pack(builder().build()));
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(ID)));
        }
        assertEquals(List.of(ID), site.whole(ID));
    }

    private void assertBroken(String reason, byte[] pack) throws IOException {
        assertEquals(new Fault.Malformed(reason), fault(pack(pack)));
    }

    /// Row 165: the fault of a disk or a line, which passes (purgatory 6.7).
    @Test
    void packThatIsDamagedIsDiscarded() throws IOException {
        var pack = builder().build();
        var damaged = pack.clone();
        damaged[damaged.length - 1] ^= 1;
        assertBroken("the checksum of the pack is wrong, or it has more objects than it announces", damaged);
        assertBroken("the pack ends early", Arrays.copyOf(pack, pack.length - 25));
        assertBroken("the compressed data of an object is broken", builder().build(3));
        assertBroken(
                "the checksum of the pack is wrong, or it has more objects than it announces",
                builder().build(1));
    }

    /// Row 165: the id of an object is that of its content, so what was asked for is not there.
    @Test
    void packWithOtherObjectsThanAskedForIsDiscarded() throws IOException {
        var pack = new PackBuilder().blob("other").build();
        assertHostile("the pack lacks " + ID + ", which was asked for", pack);
        assertBroken("the pack is empty", new PackBuilder().build());
    }

    /// Row 165.
    @Test
    void packWithAMissingTreeIsDiscarded() throws IOException {
        var pack = new PackBuilder().add(ObjectType.COMMIT, COMMIT).build();
        assertBroken("missing object " + idOf(ObjectType.TREE, new byte[0]) + ", which commit " + ID + " needs", pack);
    }

    /// Row 165.
    @Test
    void treeWithANameThatHarmsIsDiscarded() throws IOException {
        var file = idOfBlob("x");
        for (var name : List.of(".git", "..", ".GIT", "git~1")) {
            var tree = entry("100644", name, file);
            var pack = builder().blob("x").add(ObjectType.TREE, tree).build();
            var hostile = assertInstanceOf(Fault.Hostile.class, fault(pack(pack)));
            assertTrue(hostile.reason().startsWith("object " + idOf(ObjectType.TREE, tree)), hostile.reason());
        }
    }

    /// Row 165.
    @Test
    void submodulesFileThatHarmsIsDiscarded() throws IOException {
        var bad = "[submodule \"x\"]\n\turl = -u./payload\n";
        var tree = entry("100644", ".gitmodules", idOfBlob(bad));
        assertHostile(
                "object " + idOfBlob(bad) + ": .gitmodules has a bad submodule url",
                builder().blob(bad).add(ObjectType.TREE, tree).build());
    }

    /// Row 165: ever larger objects out of a few bytes.
    @Test
    void deltaBombIsDiscarded() throws IOException {
        var builder = builder();
        int base = builder.offset();
        builder.blob("x".repeat(50_000));
        int size = 50_000;
        for (int i = 0; i < 6; i++) {
            int offset = builder.offset();
            var copies = new byte[8][];
            Arrays.fill(copies, copy(0, size));
            builder.deltaOn(base, delta(size, 8L * size, copies));
            base = offset;
            size *= 8;
        }
        assertHostile(
                "the deltas of the pack make more than 10485760 bytes, too much out of little: push in several steps",
                limits(MEBIBYTE, 100, 256 * MEBIBYTE, 10 * MEBIBYTE),
                builder.build());
    }

    /// Row 165: an object inflates to more than it says, and to more than it may.
    @Test
    void zipBombIsDiscarded() throws IOException {
        var zeros = new byte[8 * MEBIBYTE];
        assertHostile(
                "an object does not inflate to the size it announces",
                builder().add(3, 10, zeros).build());
        assertHostile(
                "an object is larger than " + MEBIBYTE + " bytes",
                limits(MEBIBYTE, 100, MEBIBYTE, 0),
                builder().add(ObjectType.BLOB, zeros).build());
    }

    /// Row 164.
    @Test
    void packOfTooManyObjectsIsNotReadFurther() throws IOException {
        assertHostile(
                "the pack announces 1000000 objects, limit 10",
                limits(MEBIBYTE, 10, MEBIBYTE, 0),
                builder().build(1_000_000));
    }

    /// Row 164: it never ends, so it is left before its end.
    @Test
    void packOfTooManyBytesIsStoppedAtOnce() throws IOException {
        var head = Arrays.copyOf(new PackBuilder().build(9), 12);
        var noise = new byte[60_000];
        new Random(1).nextBytes(noise);
        var blob = new PackBuilder().add(ObjectType.BLOB, noise).build();
        var object = Arrays.copyOfRange(blob, 12, blob.length - 20);
        var answer = result(both(lines("packfile"), both(band(1, head), endless(band(1, object)))));
        assertEquals(
                new Fault.Hostile("pack exceeds maximum size (100000 bytes)"),
                fault(limits(limits(100_000, 100, MEBIBYTE, 0)), answer));
    }

    /// A delta on something that is here would copy it out of hiding.
    @Test
    void packThatRestsOnObjectsOutsideItselfIsDiscarded() throws IOException {
        var secret = "a secret that nobody may see".repeat(10);
        var hidden = site.elsewhere.feed(secret, "hash-object", "-w", "--stdin");
        var tree = site.elsewhere.feed("100644 blob " + hidden + "\tfile\n", "mktree");
        var tip = site.elsewhere.run("commit-tree", tree, "-m", "hidden");
        site.receive(Oid.parse(tip).require());
        var pack = builder()
                .deltaOn(
                        Oid.parse(hidden).require(),
                        delta(secret.length(), secret.length() + 1L, copy(0, secret.length()), insert("!")))
                .build();
        assertHostile("the pack has deltas on objects that are not in it, which was not asked for", pack);
    }

    /// P-808. Who serves it is not to blame: others chose what is asked for.
    @Test
    void wantedCommitThatIsSomethingElseIsDiscarded() throws IOException {
        var blob = idOfBlob("x");
        var pack = builder().blob("x").build();
        try (var server = new ScriptedServer(greeting(), refs(ID, blob), pack(pack), pack(pack));
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport, VisitLimits.DEFAULTS, Set.of(ID, blob))) {
            visit.advertise(Set.of());
            assertEquals(new Fetched.Unknown(blob), visit.fetch(List.of(ID, blob)));
            assertEquals(List.of(), site.left());
            assertInstanceOf(Fetched.Received.class, visit.fetch(List.of(ID)));
        }
    }

    @Test
    void wantedObjectOfAnotherTypeIsSeenAsThat() throws IOException {
        var blob = idOfBlob("x");
        try (var server = new ScriptedServer(
                        greeting(), refs(blob), pack(new PackBuilder().blob("x").build()));
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport)) {
            visit.advertise(Set.of());
            visit.fetch(List.of(blob));
        }
        assertEquals(Optional.of(ObjectType.BLOB), site.type(blob));
    }

    // ---- streams

    @Test
    void packThatBreaksOffIsDiscarded() throws IOException {
        var pack = builder().build();
        for (int length = 0; length < pack.length; length += 10) {
            var part = Arrays.copyOf(pack, length);
            assertInstanceOf(Fault.Malformed.class, fault(result(both(lines("packfile"), band(1, part)))));
        }
        assertInstanceOf(Fault.Malformed.class, fault(result(out -> out.write(bytes("00")))));
        assertInstanceOf(Fault.Malformed.class, fault(result(out -> {})));
    }

    /// Row 164.
    @Test
    void endlessWordsBesideThePackAreStopped() throws IOException {
        var hostile = new Fault.Hostile("more than 1048576 bytes of words beside the pack");
        var talk = endless(band(2, "Counting objects: 1%\r"));
        assertEquals(hostile, fault(result(both(lines("packfile"), talk))));
        assertEquals(hostile, fault(result(both(lines("packfile"), endless(out -> out.write(bytes("0005\2")))))));
    }

    /// Row 164: a server that packs for long shows now and then that it is alive.
    @Test
    void endlessPacketsWithoutContentAreStopped() throws IOException {
        Script alive = out -> out.write(bytes("0005\1"));
        var limits = limits(limits(MEBIBYTE, 100, MEBIBYTE, 0));
        var hostile = new Fault.Hostile("its answer with the pack exceeds " + (MEBIBYTE * 49 / 16) + " bytes");
        assertEquals(hostile, fault(limits, result(both(lines("packfile"), endless(alive)))));
        var whole = both(lines("packfile"), band(1, builder().build()));
        assertEquals(hostile, fault(limits, result(both(whole, endless(alive)))));
    }

    @Test
    void endlessLinesBeforeThePackAreStopped() throws IOException {
        var hostile = new Fault.Hostile("more than 10000 lines before the pack");
        assertEquals(hostile, fault(result(both(lines("acknowledgments"), endless(lines("ACK " + ID))))));
        assertEquals(hostile, fault(result(endless(lines("acknowledgments", "delimiter")))));
    }

    @Test
    void partsThatNobodyAskedForAreNotFollowed() throws IOException {
        var answer = result(lines("packfile-uris", ID + " https://example.com/pack", "delimiter"));
        assertEquals(new Fault.Malformed("the answer has a part that nobody asked for"), fault(answer));
    }

    /// Row 164.
    @Test
    void fetchEndsWhereTheAreaIsFull() throws IOException {
        var noise = new byte[60_000];
        new Random(1).nextBytes(noise);
        var pack = builder().add(ObjectType.BLOB, noise).build();
        var limits = new VisitLimits(MEBIBYTE, PackLimits.DEFAULTS, new HuntingLimits(50_000, MEBIBYTE));
        assertEquals(new Fault.Full(Optional.of(NoRoom.Where.AREA)), fault(limits, pack(pack)));
    }

    // ---- advertisements

    private Fault advertised(Script... scripts) throws IOException {
        try (var server = new ScriptedServer(scripts);
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport)) {
            return assertThrows(VisitFailed.class, () -> visit.advertise(Set.of()))
                    .fault();
        }
    }

    /// Row 164.
    @Test
    void endlessAdvertisementIsStopped() throws IOException {
        var hostile = new Fault.Hostile("what it says about its refs exceeds 16777216 bytes");
        var more = endless(lines(ID + " refs/heads/main"));
        assertEquals(hostile, advertised(advertisement(more)));
        assertEquals(hostile, advertised(greeting(), result(more)));
    }

    /// Row 168: what such a server has leads elsewhere.
    @Test
    void dumbServerIsRefused() throws IOException {
        var refs = ID + "\trefs/heads/main\n";
        try (var server = new ScriptedServer(ScriptedServer.raw(
                        "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: " + refs.length(), refs));
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport)) {
            var failure = assertThrows(VisitFailed.class, () -> visit.advertise(Set.of()));
            assertEquals(new Fault.Unsuitable("it does not speak git's smart HTTP protocol"), failure.fault());
            assertEquals(
                    List.of("GET /repo.git/info/refs?service=git-upload-pack HTTP/1.1"),
                    server.requests(),
                    "neither alternates nor anything else");
        }
    }

    // ---- words

    /// Row 169, in part: neither what it says nor why it fails.
    @Test
    void wordsOfTheServerAreLoggedForDebuggingOnly() throws IOException, InterruptedException {
        try (var log = LogWatch.on("dev.grapnel.git.client")) {
            var fault = fault(result(both(lines("packfile"), both(band(2, "hello\u001b[2J"), band(3, "broken here")))));
            assertEquals(new Fault.Complaint("broken here"), fault);
            assertEquals(List.of("DEBUG remote says words=hello\u001b[2J"), log.lines("", 1));
            assertFalse(new VisitFailed(fault).toString().contains("broken"));
        }
    }
}
