package dev.grapnel.server;

import static dev.grapnel.git.client.ScriptedServer.advertisement;
import static dev.grapnel.git.client.ScriptedServer.band;
import static dev.grapnel.git.client.ScriptedServer.both;
import static dev.grapnel.git.client.ScriptedServer.endless;
import static dev.grapnel.git.client.ScriptedServer.lines;
import static dev.grapnel.git.client.ScriptedServer.pack;
import static dev.grapnel.git.client.ScriptedServer.result;
import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.Listing;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.client.ScriptedServer;
import dev.grapnel.git.client.ScriptedServer.Script;
import dev.grapnel.git.pack.PackBuilder;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that send what harms, too much, too little or nothing, to a real server: nothing of it is kept, the
/// operator reads what it was, and what an honest server has is served. Each test has names and repositories of its
/// own on one ground.
@Timeout(180)
final class HuntHostilePackTest {
    private static final Duration BACKOFF = Duration.ofSeconds(20);
    private static final int PACK_MAX = 1 << 20;
    private static final String HOSTILE = "sent what is not taken; left alone for hours";
    private static final String FAILED = "could not be reached, or failed";

    @TempDir
    private static Path directory;

    private static HuntingGround ground;
    private static Oid goodTip;
    private static byte[] goodPack;

    @BeforeAll
    static void open() throws IOException {
        ground = HuntingGround.open(
                directory,
                "HUNT_MAX_PACK_BYTES",
                Integer.toString(PACK_MAX),
                "MAX_OBJECT_BYTES",
                "100000",
                "MAX_PACK_OBJECTS",
                "1000",
                "HUNT_FIRST_BYTE_TIMEOUT_SECS",
                "1",
                "HUNT_PACK_FIRST_BYTE_TIMEOUT_SECS",
                "1",
                "HUNT_STALL_TIMEOUT_SECS",
                "1");
        goodTip = ground.filled("good");
        goodPack = ground.pack("good");
    }

    @AfterAll
    static void close() {
        ground.close();
    }

    private static byte[] commit(Oid tree) {
        return bytes("tree " + tree + "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\nx\n");
    }

    /// Hunts at a server that has a commit and answers like this when it is asked for it, then at an honest one.
    ///
    /// @param told what the operator reads
    private static void assertDiscarded(String name, Oid tip, String told, Script answer) throws Exception {
        var host = ground.host();
        host.gives(name, tip, answer);
        assertOfNoUse(host, name, tip, told);
    }

    private static void assertOfNoUse(TroubledHost host, String name, Oid tip, String told) throws Exception {
        long naughty = naughty();
        var state = hear(host, name, tip);
        ground.pass(Duration.ofMillis(500));
        assertLeft(host, name, tip, told);
        boolean isHostile = told.startsWith(HOSTILE);
        assertEquals(naughty + (isHostile ? 1 : 0), naughty());
        long visits = host.visits(name);
        assertHonestOneIsAsked(host, name, tip.equals(goodTip) ? state : later(name));
        assertTrue(!isHostile || visits == host.visits(name), "it is left alone");
    }

    /// Somebody is to be hunted at, and an honest server beside that has nothing yet.
    private static Event hear(TroubledHost host, String name, Oid tip) throws Exception {
        host.says("honest", ScriptedServer.status(404));
        var url = ground.url(name + ".example", host, name);
        return ground.hear(name, tip, url, ground.url(name + "-honest.example", host, "honest"));
    }

    private static void assertLeft(TroubledHost host, String name, Oid tip, String told) throws Exception {
        awaitAttempt(name);
        assertEquals(told, ground.told(name, "http://" + name + ".example:" + host.port() + "/" + name + ".git"));
        assertNothingKept(name, tip);
        assertEquals(0, ground.domain(name + ".example").orElseThrow().inFlight(), "its slot is free");
    }

    private static void awaitAttempt(String name) throws Exception {
        ground.await(() -> {
            ground.server().clock().advance(Duration.ofMillis(10)); // for limits of time
            return ground.picture(name).orElseThrow().attempts() > 0;
        });
    }

    private static void assertHonestOneIsAsked(TroubledHost host, String name, Event state) throws Exception {
        host.says(name, ScriptedServer.status(404));
        host.knows("honest", goodTip, goodPack);
        ground.pass(BACKOFF);
        ground.awaitServed(state);
        assertTrue(ground.server().advertisement(HuntingGround.ANN, name).contains(goodTip + " refs/heads/main"));
    }

    /// Nobody can have what the first state names, so its author signs another.
    private static Event later(String name) {
        ground.server().clock().advance(Duration.ofSeconds(1));
        var state = ground.state(name, goodTip);
        ground.server().sync(state);
        return state;
    }

    private static long naughty() {
        return ground.naughty().getOrDefault(NaughtyCause.HOSTILE, 0L);
    }

    private static void assertNothingKept(String name, Oid tip) throws Exception {
        assertFalse(ground.server().advertisement(HuntingGround.ANN, name).contains(tip.toString()));
        assertEquals(0, ground.huntedBytes(name));
        assertEquals(
                List.of(),
                Listing.below(directory.resolve("here")).stream()
                        .filter(file -> file.contains("quarantine/"))
                        .toList());
    }

    private static byte[] noise(int length) {
        var noise = new byte[length];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private static Script broken(byte[] bytes) {
        return result(both(lines("packfile"), band(1, bytes)));
    }

    // ---- what it is

    /// Row 165.
    @Test
    void rubbishIsDiscarded() throws Exception {
        assertDiscarded("rubbish", goodTip, FAILED + " (this is not a pack)", pack(noise(5000)));
    }

    /// Row 165.
    @Test
    void rubbishInsteadOfTheProtocolIsDiscarded() throws Exception {
        assertDiscarded(
                "babble",
                goodTip,
                FAILED + " (a pkt-line begins with four hex digits)",
                result(out -> out.write(noise(5000))));
    }

    /// Row 165: cut off, but said to be whole.
    @Test
    void packWithoutItsEndIsDiscarded() throws Exception {
        var half = Arrays.copyOf(goodPack, goodPack.length - 10);
        assertDiscarded("truncated", goodTip, FAILED + " (the pack ends early)", pack(half));
    }

    /// The connection ends in the middle, which happens to the best.
    @Test
    void packThatBreaksOffIsDiscarded() throws Exception {
        var half = Arrays.copyOf(goodPack, goodPack.length / 2);
        assertDiscarded("halved", goodTip, FAILED + " (the bands break off before their end)", broken(half));
    }

    /// Row 165.
    @Test
    void packWithAWrongChecksumIsDiscarded() throws Exception {
        var other = goodPack.clone();
        other[other.length - 1] ^= 1;
        assertDiscarded(
                "wrong",
                goodTip,
                FAILED + " (the checksum of the pack is wrong, or it has more objects than it announces)",
                pack(other));
    }

    /// Row 165.
    @Test
    void deltaBombIsDiscarded() throws Exception {
        var builder = new PackBuilder();
        builder.blob("x".repeat(1000));
        var copies = new byte[1000][];
        Arrays.fill(copies, copy(0, 1000));
        builder.deltaOn(12, delta(1000, 1_000_000, copies));
        assertDiscarded("bomb", goodTip, HOSTILE + " (an object is larger than 100000 bytes)", pack(builder.build()));
    }

    /// Row 165.
    @Test
    void treesThatHarmAndHolesAreDiscarded() throws Exception {
        var file = idOfBlob("x");
        var git = entry("100644", ".git", file);
        assertCrafted(
                "dotgit",
                git,
                HOSTILE,
                "object " + idOf(ObjectType.TREE, git) + ": a tree entry is named like .git",
                new PackBuilder().blob("x"));
        var bad = "[submodule \"x\"]\n\turl = -u./payload\n";
        var modules = entry("100644", ".gitmodules", idOfBlob(bad));
        assertCrafted(
                "modules",
                modules,
                HOSTILE,
                "object " + idOfBlob(bad) + ": .gitmodules has a bad submodule url",
                new PackBuilder().blob(bad));
        var hole = entry("100644", "file", file);
        assertCrafted(
                "hole",
                hole,
                FAILED,
                "missing object " + file + ", which tree " + idOf(ObjectType.TREE, hole) + " needs",
                new PackBuilder());
    }

    private static void assertCrafted(String name, byte[] tree, String told, String reason, PackBuilder builder)
            throws Exception {
        var commit = commit(idOf(ObjectType.TREE, tree));
        builder.add(ObjectType.TREE, tree).add(ObjectType.COMMIT, commit);
        assertDiscarded(name, idOf(ObjectType.COMMIT, commit), told + " (" + reason + ")", pack(builder.build()));
    }

    // ---- how much it is, and how long it takes

    /// Row 164.
    @Test
    void endlessPackIsStoppedAtItsLimit() throws Exception {
        var head = Arrays.copyOf(new PackBuilder().build(900), 12);
        var random = new Random(2);
        double before = ground.server().metric("purgatory_fetch_bytes_total");
        assertDiscarded(
                "endless",
                goodTip,
                HOSTILE + " (pack exceeds maximum size (1048576 bytes))",
                result(both(lines("packfile"), both(band(1, head), endless(out -> {
                    var noise = new byte[60_000];
                    random.nextBytes(noise);
                    var blob = new PackBuilder().add(ObjectType.BLOB, noise).build();
                    band(1, Arrays.copyOfRange(blob, 12, blob.length - 20)).answer(out);
                })))));
        assertTrue(ground.server().metric("purgatory_fetch_bytes_total") > before + PACK_MAX, "all that came counts");
    }

    /// Row 164.
    @Test
    void packOfTooManyObjectsIsNotReadFurther() throws Exception {
        assertDiscarded(
                "many",
                goodTip,
                HOSTILE + " (the pack announces 1000000 objects, limit 1000)",
                pack(new PackBuilder().blob("x").build(1_000_000)));
    }

    /// Row 164.
    @Test
    void endlessAdvertisementIsStopped() throws Exception {
        var host = ground.host();
        var many = new String[1000];
        Arrays.fill(many, goodTip + " refs/heads/main");
        var some = new ByteArrayOutputStream();
        lines(many).answer(some);
        host.says("chatty", advertisement(endless(out -> out.write(some.toByteArray()))));
        assertOfNoUse(host, "chatty", goodTip, HOSTILE + " (what it says about its refs exceeds 16777216 bytes)");
    }

    /// Row 164: before anything, before the pack and within it. They wait at the same time.
    @Test
    void silentServersAreLeft() throws Exception {
        var end = new CountDownLatch(1);
        Script silence = out -> {
            out.flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        var host = ground.host();
        try {
            host.says("mute", silence);
            host.gives("pondering", goodTip, silence);
            host.gives("stuck", goodTip, both(broken(Arrays.copyOf(goodPack, 20)), silence));
            var states = new ArrayList<Event>();
            for (var name : List.of("mute", "pondering", "stuck")) {
                states.add(hear(host, name, goodTip));
            }
            ground.pass(Duration.ofMillis(500));
            for (var name : List.of("mute", "pondering", "stuck")) {
                awaitAttempt(name); // of all, before it is looked what is left of any
            }
            assertLeft(host, "mute", goodTip, FAILED + " (no answer began in time)");
            assertLeft(host, "pondering", goodTip, FAILED + " (no answer began in time)");
            assertLeft(host, "stuck", goodTip, FAILED + " (it fell silent)");
            assertHonestOneIsAsked(host, "mute", states.get(0));
            assertHonestOneIsAsked(host, "pondering", states.get(1));
            assertHonestOneIsAsked(host, "stuck", states.get(2));
        } finally {
            end.countDown();
        }
    }
}
