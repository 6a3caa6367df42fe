package dev.grapnel.git.client;

import static dev.grapnel.git.client.ScriptedServer.advertisement;
import static dev.grapnel.git.client.ScriptedServer.band;
import static dev.grapnel.git.client.ScriptedServer.both;
import static dev.grapnel.git.client.ScriptedServer.greeting;
import static dev.grapnel.git.client.ScriptedServer.lines;
import static dev.grapnel.git.client.ScriptedServer.pack;
import static dev.grapnel.git.client.ScriptedServer.raw;
import static dev.grapnel.git.client.ScriptedServer.refs;
import static dev.grapnel.git.client.ScriptedServer.result;
import static dev.grapnel.git.client.ScriptedServer.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.client.ScriptedServer.Script;
import dev.grapnel.git.pack.PackBuilder;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What servers say, and what is made of it. Causes are told apart by what happened, never by words
/// (P-670).
@Timeout(60)
final class RemoteAnswersTest {
    private static final Oid ID = PackBuilder.idOfBlob("x");
    private static final Oid OTHER = PackBuilder.idOfBlob("other");

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

    private static byte[] onePack() {
        return new PackBuilder().blob("x").build();
    }

    private interface Deed<T> {
        T of(RemoteVisit visit) throws IOException;
    }

    private <T> T visiting(Deed<T> deed, Script... scripts) throws IOException {
        try (var server = new ScriptedServer(scripts);
                var transport = new WebTransport(server.url(), true);
                var visit = site.visit(transport)) {
            return deed.of(visit);
        }
    }

    private Fault advertised(Script... scripts) throws IOException {
        return visiting(
                visit -> assertThrows(VisitFailed.class, () -> visit.advertise(Set.of()))
                        .fault(),
                scripts);
    }

    private static Fetched fetch(RemoteVisit visit) throws IOException {
        visit.advertise(Set.of());
        return visit.fetch(List.of(ID));
    }

    private Fault fetched(Script... scripts) throws IOException {
        var fault = visiting(
                visit -> assertThrows(VisitFailed.class, () -> fetch(visit)).fault(), scripts);
        assertEquals(List.of(), site.left());
        return fault;
    }

    // ---- status

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 410, 500, 502, 204, 301})
    void otherStatusIsToldAsItIs(int status) throws IOException {
        assertEquals(new Fault.Status(status, Optional.empty()), advertised(status(status)));
        assertEquals(new Fault.Status(status, Optional.empty()), fetched(greeting(), refs(ID), status(status)));
    }

    @Test
    void serverSaysWhenItWantsToBeAskedAgain() throws IOException {
        assertEquals(
                new Fault.Status(429, Optional.of(Duration.ofMinutes(2))), advertised(status(429, "Retry-After: 120")));
        assertEquals(
                new Fault.Status(503, Optional.of(Duration.ZERO)),
                advertised(status(503, "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT")));
        assertEquals(new Fault.Status(503, Optional.empty()), advertised(status(503, "Retry-After: soon")));
    }

    @Test
    void brokenConnectionIsToldWithItsCause() throws IOException {
        String url;
        try (var server = new ScriptedServer()) {
            url = server.url();
        }
        try (var transport = new WebTransport(url, true);
                var visit = site.visit(transport)) {
            var failure = assertThrows(VisitFailed.class, () -> visit.advertise(Set.of()));
            var disconnected = assertInstanceOf(Fault.Disconnected.class, failure.fault());
            assertInstanceOf(ConnectException.class, disconnected.cause());
        }
        var half = raw(
                "HTTP/1.1 200 OK\nContent-Type: application/x-git-upload-pack-advertisement\n" + "Content-Length: 1000",
                "000eversion 2\n");
        assertInstanceOf(Fault.Disconnected.class, advertised(half));
    }

    // ---- advertisements

    @Test
    void typeOfTheAnswerMayHaveParameters() throws IOException {
        var type = "Content-Type: Application/X-Git-Upload-Pack-Advertisement; charset=utf-8";
        var found = visiting(
                visit -> visit.advertise(Set.of()),
                both(
                        raw("HTTP/1.1 200 OK\nConnection: close\n" + type, ""),
                        lines("# service=git-upload-pack", "flush", ID + " HEAD\0ofs-delta", "flush")));
        assertTrue(found.contains(ID));
    }

    @Test
    void compressedAnswerIsNotRead() throws IOException {
        var answer = raw(
                "HTTP/1.1 200 OK\nConnection: close\nContent-Encoding: gzip\n"
                        + "Content-Type: application/x-git-upload-pack-advertisement",
                "");
        assertEquals(new Fault.Malformed("the answer is compressed, which was not asked for"), advertised(answer));
    }

    @Test
    void otherServiceIsNotTakenForOurs() throws IOException {
        assertEquals(
                new Fault.Malformed("the advertisement is that of another service"),
                advertised(advertisement(lines("# service=git-receive-pack", "flush", "flush"))));
    }

    @Test
    void serverThatNamesObjectsOtherwiseIsOfNoUse() throws IOException {
        var unsuitable = new Fault.Unsuitable("it does not name objects by SHA-1");
        assertEquals(
                unsuitable,
                advertised(advertisement(lines("version 2", "ls-refs", "fetch", "object-format=sha256", "flush"))));
        assertEquals(
                unsuitable,
                advertised(advertisement(
                        lines("# service=git-upload-pack", "flush", ID + " HEAD\0object-format=sha256", "flush"))));
    }

    @Test
    void serverOfVersion2MustBeAbleToListAndToSend() throws IOException {
        assertEquals(
                new Fault.Malformed("the server speaks version 2, but cannot be fetched from"),
                advertised(advertisement(lines("version 2", "ls-refs", "flush"))));
    }

    @Test
    void linesThatNameNoObjectAreRefused() throws IOException {
        var malformed = new Fault.Malformed("a line about a ref does not begin with an object id");
        for (var line : List.of("main", ID + "refs/heads/main", ID.toString().substring(1) + "  refs/heads/main")) {
            assertEquals(malformed, advertised(greeting(), result(lines(line, "flush"))), line);
        }
        assertEquals(malformed, advertised(greeting(), result(lines(ID + " refs/tags/v1 peeled:" + "ab", "flush"))));
        assertEquals(
                new Fault.Malformed("the answer ends within a list"),
                advertised(greeting(), result(lines(ID + " refs/heads/main"))));
    }

    @Test
    void lineThatStandsForNoRefIsNoObject() throws IOException {
        var found = visiting(
                visit -> visit.advertise(Set.of()),
                advertisement(lines(
                        "# service=git-upload-pack", "flush", Oid.ZERO + " capabilities^{}\0ofs-delta", "flush")));
        assertEquals(0, found.size());
    }

    @Test
    void unbornHeadIsNoObject() throws IOException {
        var found = visiting(
                visit -> visit.advertise(Set.of()),
                greeting(),
                result(lines("unborn HEAD symref-target:refs/heads/main", "flush")));
        assertEquals(0, found.size());
    }

    @Test
    void complaintInAnAdvertisementIsToldAsOne() throws IOException {
        assertEquals(new Fault.Complaint("access denied"), advertised(advertisement(lines("ERR access denied"))));
        assertEquals(new Fault.Complaint("later"), advertised(greeting(), result(lines("ERR later"))));
    }

    // ---- packs

    @Test
    void complaintInsteadOfAPackIsToldAsOne() throws IOException {
        assertEquals(new Fault.Complaint("too busy"), fetched(greeting(), refs(ID), result(lines("ERR too busy"))));
        var late = both(lines("packfile"), both(band(1, onePack()), band(3, "out of memory")));
        assertEquals(new Fault.Complaint("out of memory"), fetched(greeting(), refs(ID), result(late)));
    }

    /// P-670: also in a band, where some servers say it.
    @Test
    void unknownObjectIsBelievedIfItWasAskedFor() throws IOException {
        var words = "upload-pack: not our ref " + ID;
        for (var answer : List.of(lines("ERR " + words), both(lines("packfile"), band(3, words)))) {
            assertEquals(
                    new Fetched.Unknown(ID), visiting(RemoteAnswersTest::fetch, greeting(), refs(ID), result(answer)));
        }
        var other = "upload-pack: not our ref " + OTHER;
        assertEquals(new Fault.Complaint(other), fetched(greeting(), refs(ID), result(lines("ERR " + other))));
    }

    /// Azure DevOps says it in a band before any has begun.
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void refusalInPlaceOfAnAcknowledgementIsUnderstood(int band) throws IOException {
        var first = advertisement(
                lines("# service=git-upload-pack", "flush", ID + " refs/heads/main\0side-band-64k", "flush"));
        var words = "TF401035: The object '" + ID + "' does not exist.";
        assertEquals(
                new Fetched.Unknown(ID), visiting(RemoteAnswersTest::fetch, first, result(band(band, words + "\n"))));
        assertEquals(new Fault.Complaint("no"), fetched(first, result(band(band, "no"))));
    }

    /// Servers of version 0 differ in what they can do.
    @Test
    void everyWayOfAcknowledgingIsUnderstood() throws IOException {
        var many = both(
                lines("ACK " + OTHER + " common", "ACK " + OTHER + " ready", "ACK " + OTHER),
                both(band(1, onePack()), lines("flush")));
        assertTaken("multi_ack_detailed side-band-64k", many);
        var some = both(lines("ACK " + OTHER + " continue", "ACK " + OTHER), both(band(1, onePack()), lines("flush")));
        assertTaken("multi_ack side-band", some);
        assertTaken("side-band", both(lines("NAK"), both(band(1, onePack()), lines("flush"))));
        assertTaken("ofs-delta", both(lines("NAK"), out -> out.write(onePack())));
    }

    private void assertTaken(String capabilities, Script answer) throws IOException {
        var first = advertisement(
                lines("# service=git-upload-pack", "flush", ID + " refs/heads/main\0" + capabilities, "flush"));
        assertInstanceOf(
                Fetched.Received.class, visiting(RemoteAnswersTest::fetch, first, result(answer)), capabilities);
        assertEquals(List.of(ID), site.whole(ID));
        site.repositories.hunting().delete(VisitSite.TOOL);
    }

    // ---- our side

    @Test
    void nothingIsFetchedWhenTheDiskIsNearlyFull() throws IOException {
        try (var server = new ScriptedServer(greeting(), refs(ID));
                var transport = new WebTransport(server.url(), true);
                var visit = new RemoteVisit(
                        transport,
                        new RemoteVisit.Target(
                                site.repositories.hunting(), VisitSite.TOOL, List.of(), List.of(), Set.of()),
                        VisitLimits.DEFAULTS,
                        new FreeSpace(() -> 9, 10),
                        InstantSource.system())) {
            var failure = assertThrows(VisitFailed.class, () -> fetch(visit));
            assertEquals(new Fault.Full(Optional.empty()), failure.fault());
            assertEquals(2, server.requests().size());
        }
    }

    @Test
    void whatCameForADeletedAreaIsUnwanted() throws IOException {
        Script answer = out -> {
            site.repositories.hunting().delete(VisitSite.TOOL);
            pack(onePack()).answer(out);
        };
        assertEquals(new Fetched.Unwanted(), visiting(RemoteAnswersTest::fetch, greeting(), refs(ID), answer));
        assertEquals(List.of(), site.left());
    }

    /// P-666: whoever ends it waits for nobody, and nothing is left.
    @Test
    void visitEndsAtOnceWhenItIsClosed() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        Script stalling = out -> {
            result(both(lines("packfile"), band(1, Arrays.copyOf(onePack(), 14))))
                    .answer(out);
            out.flush();
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException(e.toString());
            }
        };
        try (var server = new ScriptedServer(greeting(), refs(ID), stalling);
                var transport = new WebTransport(server.url(), true)) {
            var visit = site.visit(transport);
            var failure = new CompletableFuture<Fault>();
            Thread.ofVirtual()
                    .start(() -> failure.complete(
                            assertThrows(VisitFailed.class, () -> fetch(visit)).fault()));
            begun.await();
            visit.close();
            assertInstanceOf(Fault.Disconnected.class, failure.get(5, TimeUnit.SECONDS));
            assertEquals(List.of(), site.left());
            assertEquals(0, site.repositories.hunting().bytes());
        } finally {
            end.countDown();
        }
    }
}
