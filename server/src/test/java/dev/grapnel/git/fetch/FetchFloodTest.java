package dev.grapnel.git.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.fetch.UploadPack.Task;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.KeepAlive;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever asks for more than is allowed is told so, and costs little.
final class FetchFloodTest {
    private static final int WANTS_MAX = 100_000;
    private static final int SHALLOW_MAX = 20_000;
    private static final int HAVES_MAX = 20_000;
    private static final int NAMES_MAX = 1000;
    private static final int PREFIXES_MAX = 256;
    private static final int CAPABILITIES_MAX = 100;
    private static final int LINE_MAX = 65_516;

    /// More than a body can have (service 9).
    private static final int MANY = 350_000;

    @TempDir
    private Path directory;

    private static Task read(InputStream flood, boolean version2) throws IOException {
        return UploadPack.read(flood, version2);
    }

    private static FetchRequest accepts(Flood flood, boolean version2) throws IOException {
        return assertInstanceOf(Task.Fetch.class, read(flood, version2)).request();
    }

    private static void refuses(String words, Flood flood, boolean version2) throws IOException {
        assertEquals(
                words,
                assertInstanceOf(Task.Refuse.class, read(flood, version2)).reason());
    }

    private static void breaks(String words, InputStream flood, boolean version2) {
        assertEquals(
                words,
                assertThrows(BrokenPacket.class, () -> read(flood, version2)).getMessage());
    }

    @Test
    void wantsAreLimited() throws IOException {
        var none = List.<String>of();
        assertEquals(
                WANTS_MAX,
                accepts(Flood.version0(none, WANTS_MAX, i -> "want " + Flood.id(i)), false)
                        .wants()
                        .size());
        assertEquals(
                WANTS_MAX,
                accepts(Flood.version2("fetch", none, WANTS_MAX, i -> "want " + Flood.id(i)), true)
                        .wants()
                        .size());
        for (int count : new int[] {WANTS_MAX + 1, MANY}) {
            var words = "more than 100000 wants";
            refuses(words, Flood.version0(none, count, i -> "want " + Flood.id(i)), false);
            refuses(words, Flood.version2("fetch", none, count, i -> "want " + Flood.id(i)), true);
        }
    }

    @Test
    void endsOfHistoryAreLimited() throws IOException {
        var want = List.of("want " + Flood.id(1));
        assertEquals(
                SHALLOW_MAX,
                accepts(Flood.version0(want, SHALLOW_MAX, i -> "shallow " + Flood.id(i)), false)
                        .depth()
                        .shallow()
                        .size());
        for (int count : new int[] {SHALLOW_MAX + 1, MANY}) {
            var words = "more than 20000 shallow commits";
            refuses(words, Flood.version0(want, count, i -> "shallow " + Flood.id(i)), false);
            refuses(words, Flood.version2("fetch", want, count, i -> "shallow " + Flood.id(i)), true);
        }
    }

    /// What a client has is a hint, so the rest of it is not needed.
    @Test
    void onlyTheFirstHavesCount() throws IOException {
        var want = List.of("want " + Flood.id(1));
        for (var request : List.of(
                accepts(Flood.haves0(want, MANY, i -> "have " + Flood.id(i)), false),
                accepts(Flood.version2("fetch", want, MANY, i -> "have " + Flood.id(i)), true))) {
            assertEquals(HAVES_MAX, request.haves().size());
            assertEquals(Flood.id(0), request.haves().getFirst().toString());
        }
    }

    @Test
    void namesOfRefsAreLimitedInNumberAndLength() throws IOException {
        var want = List.of("want " + Flood.id(1));
        assertEquals(
                NAMES_MAX,
                accepts(Flood.version0(want, NAMES_MAX, i -> "deepen-not refs/heads/" + i), false)
                        .depth()
                        .not()
                        .size());
        var words = "more than 1000 lines of one kind";
        breaks(words, Flood.version0(want, NAMES_MAX + 1, i -> "deepen-not refs/heads/" + i), false);
        breaks(words, Flood.version2("fetch", want, NAMES_MAX + 1, i -> "deepen-not refs/heads/" + i), true);
        breaks(
                "no ref has a name of more than 500 bytes",
                Flood.version0(want, 1, _ -> "deepen-not " + "x".repeat(501)),
                false);
    }

    /// Whoever names many prefixes is told every ref, which the protocol allows; one that is too long for any
    /// name is the beginning of none.
    @Test
    void prefixesAreLimitedInNumberAndLength() throws IOException {
        assertEquals(PREFIXES_MAX, prefixes(PREFIXES_MAX, "refs/heads/").size());
        assertEquals(List.of(""), prefixes(PREFIXES_MAX + 1, "refs/heads/"));
        assertEquals(List.of(""), prefixes(MANY, "refs/heads/"));
        assertEquals(List.of(), prefixes(200, "refs/heads/" + "x".repeat(60_000)));
        assertEquals(List.of(""), prefixes(0, ""));
    }

    private static List<String> prefixes(int count, String prefix) throws IOException {
        var flood = Flood.version2("ls-refs", List.of("peel"), count, i -> "ref-prefix " + prefix + i);
        var listing = assertInstanceOf(Task.List.class, read(flood, true)).request();
        assertTrue(listing.peel());
        return List.copyOf(listing.prefixes());
    }

    @Test
    void capabilitiesAreLimited() throws IOException {
        assertInstanceOf(
                Task.List.class,
                read(Flood.capabilities2("ls-refs", CAPABILITIES_MAX - 1, i -> "server-option=" + i), true));
        breaks(
                "more than 100 capabilities",
                Flood.capabilities2("ls-refs", CAPABILITIES_MAX, i -> "server-option=" + i),
                true);
        var words = " x".repeat(LINE_MAX).substring(0, LINE_MAX - 5 - 40);
        assertEquals(
                1,
                accepts(Flood.version0(List.of("want " + Flood.id(1) + words), 0, _ -> ""), false)
                        .wants()
                        .size());
        assertEquals(
                1,
                accepts(Flood.version2("fetch", List.of("want " + Flood.id(1)), 200, i -> "x".repeat(60_000) + i), true)
                        .wants()
                        .size());
    }

    @Test
    void linesEnd() {
        for (var length : List.of("fff1", "ffff")) {
            var endless = new ByteArrayInputStream((length + "x".repeat(70_000)).getBytes(StandardCharsets.US_ASCII));
            breaks("no pkt-line has the length " + Integer.parseInt(length, 16), endless, false);
        }
        var long1 = "x".repeat(LINE_MAX);
        breaks("no line of a fetch: " + "x".repeat(100), Flood.version0(List.of(long1), 0, _ -> ""), false);
        var digits = "deepen " + "9".repeat(60_000);
        var want = "want " + Flood.id(1);
        breaks("no number in: " + digits.substring(0, 100), Flood.version0(List.of(want, digits), 0, _ -> ""), false);
        breaks(
                "an object is named by 40 hex digits",
                Flood.version0(List.of(want + long1.substring(50)), 0, _ -> ""),
                false);
    }

    @Test
    void filtersNobodyKnowsAreRefused() throws IOException {
        var want = "want " + Flood.id(1);
        var known = "this server knows the filters blob:none, blob:limit and tree";
        for (var filter : List.of(
                "combine:blob:none+tree:0",
                "combine:".repeat(8000) + "blob:none",
                "combine:" + "combine%3a".repeat(6000),
                "x".repeat(65_000),
                "blob:limit=" + "9".repeat(60_000),
                "tree:-1",
                "tree:" + "1".repeat(60_000),
                "sparse:oid=main:x")) {
            for (boolean version2 : new boolean[] {false, true}) {
                var lines = List.of(want, "filter " + filter);
                refuses(
                        known,
                        version2 ? Flood.version2("fetch", lines, 0, _ -> "") : Flood.version0(lines, 0, _ -> ""),
                        version2);
            }
        }
        refuses("more than one filter", Flood.version0(List.of(want), 3, _ -> "filter blob:none"), false);
        var most = accepts(Flood.version0(List.of(want, "filter blob:limit=999999999999g"), 0, _ -> ""), false);
        assertEquals(Long.MAX_VALUE, most.filter().getBlobLimit());
    }

    /// Ids can be chosen so that they fall into one place of a hash table.
    @Test
    void idsThatCollideCostNoMoreThanOthers() throws IOException {
        try (var served = new Served(directory.resolve("served"))) {
            var tip = served.git().commit("a").toString();
            served.git().run("update-ref", "refs/heads/main", tip);
            var offer = served.offer(_ -> false);
            var want = List.of("want " + tip);
            assertTimeout(Duration.ofSeconds(60), () -> {
                var refused = answer(offer, Flood.version0(want, WANTS_MAX - 1, i -> "want " + Flood.collidingId(i)));
                assertTrue(refused.contains("not our ref " + Flood.collidingId(0)), refused);
                for (var depth : List.of("deepen 1", "deepen 2147483647")) {
                    var cut = Flood.version0(
                            List.of(want.getFirst() + " deepen-relative", depth),
                            SHALLOW_MAX,
                            i -> "shallow " + Flood.collidingId(i));
                    assertTrue(answer(offer, cut).contains("PACK"));
                }
                assertTrue(answer(offer, Flood.haves0(want, HAVES_MAX, i -> "have " + Flood.collidingId(i)))
                        .contains("PACK"));
            });
        }
    }

    private static String answer(Offer offer, Flood flood) throws IOException {
        var out = new ByteArrayOutputStream();
        new UploadPack(offer, KeepAlive.defaults(System::nanoTime), () -> false, PackBudget.UNBOUNDED)
                .answer(read(flood, false), out);
        return Served.text(out.toByteArray());
    }

    /// Several of each at once, in a process whose heap has little more room than they may take.
    @Test
    void floodsAreReadInLittleMemory() throws IOException, InterruptedException {
        var output = directory.resolve("output").toFile();
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Reader.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it took too long");
        } finally {
            process.destroyForcibly();
        }
        assertEquals("read", Files.readString(output.toPath()).strip());
    }

    /// The process with the small heap.
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            var kept = new ArrayList<Task>();
            var want = List.of("want " + Flood.id(1));
            for (int i = 0; i < 4; i++) {
                kept.add(read(Flood.version0(want, WANTS_MAX - 1, n -> "want " + Flood.id(n + 7)), false));
                kept.add(read(Flood.version2("fetch", want, SHALLOW_MAX, n -> "shallow " + Flood.id(n)), true));
                kept.add(read(Flood.version2("fetch", want, MANY, n -> "have " + Flood.id(n)), true));
                kept.add(read(Flood.version2("fetch", want, 250, n -> "x".repeat(64_000) + n), true));
                kept.add(read(
                        Flood.version2("ls-refs", List.of(), 250, n -> "ref-prefix " + "x".repeat(64_000) + n), true));
                kept.add(read(Flood.capabilities2("ls-refs", 99, n -> "x".repeat(64_000) + n), true));
                kept.add(read(Flood.version0(want, MANY, n -> "want " + Flood.id(n)), false));
            }
            System.out.write((kept.size() == 28 ? "read\n" : "lost\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
