package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.nostr.auth.RelayAuth;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.ScriptedNames;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.server.RelayUnderTest;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Heard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// All parts together, with a real server at the other end.
final class SyncWorldTest {
    private final StoreUnderTest store = new StoreUnderTest();

    @AfterEach
    void close() {
        store.close();
    }

    private static Configuration configuration(Path directory, Map<String, String> more) {
        var variables = new HashMap<>(Map.of(
                "GRAPNEL_DOMAIN",
                "git.example.com",
                "GRAPNEL_RELAY_DATA_PATH",
                directory.resolve("relay").toString()));
        variables.putAll(more);
        return ((ConfigReader.Outcome.Good) ConfigReader.read(new ConfigSources(Map.of(), variables, Map.of(), "none")))
                .configuration();
    }

    private SyncWorld world(Configuration settings) throws IOException {
        return new SyncWorld(
                settings,
                ServiceDomain.of(settings, 7334),
                new Build("0.0.0-test", "", "https://example.com/grapnel"),
                store.store,
                store.custody.pools(),
                new SyncWorld.Surroundings(
                        new ScriptedNames(),
                        Dialer.systemTls(),
                        new OwnCalls(new SecureRandom()),
                        StoreSamples.secretKey(999),
                        new SecureRandom(),
                        store.time,
                        System::nanoTime,
                        1L << 30,
                        2),
                SyncThread.Watcher.NONE);
    }

    /// Without a sentence the operator would see a path and have to guess.
    @Test
    void aFileInThePlaceOfTheDirectoryIsTold(@TempDir Path directory) throws Exception {
        var place = directory.resolve("relay").resolve("sync");
        Files.createDirectories(place.getParent());
        Files.writeString(place, "not ours");
        var problem = assertThrows(IOException.class, () -> world(configuration(directory, Map.of())));
        assertEquals(
                "sync keeps what it knows of relays in the directory " + place
                        + ", but that is a file; move it away and start again",
                problem.getMessage());
    }

    @Test
    void relayOfTheOperatorIsAskedAndAnswers(@TempDir Path directory) throws Exception {
        var event = StoreSamples.event(1, 1, 1_000, List.of(), "hello");
        try (var world = world(configuration(directory, Map.of()));
                var relay = RelayUnderTest.start()) {
            try (var client = relay.connect()) {
                client.publishOk(event);
            }
            var url = RelayPlaces.parseConfigured("ws://127.0.0.1:" + relay.port())
                    .require();
            var caller = new SocketsUnderTest.Caller();
            world.loop().post(() -> world.transport().dial(url, true, Duration.ofSeconds(20), caller));
            var line = caller.line();
            var id = new SubscriptionId("s");
            var question = new ClientMessage.Subscribe(id, List.of(Filter.ALL)).json();
            world.loop().post(() -> line.send(question, () -> {}));
            var heard = caller.heard();
            while (heard instanceof Heard.Said(RelayMessage.Challenge _, var _)) {
                heard = caller.heard();
            }
            assertEquals(event, assertInstanceOf(Heard.Delivered.class, heard).event());
            assertInstanceOf(Heard.Said.class, caller.heard());
            var document = new CompletableFuture<Boolean>();
            world.documents().ask(url, true, found -> document.complete(found.isPresent()));
            assertTrue(document.get(20, TimeUnit.SECONDS));
            var other = new SocketsUnderTest.Caller();
            world.loop().post(() -> world.transport().dial(url, false, Duration.ofSeconds(20), other));
            assertInstanceOf(Failure.Policy.class, other.failed());
        }
    }

    @Test
    void filesLieBesideTheStore(@TempDir Path directory) throws Exception {
        try (var world = world(configuration(directory, Map.of()))) {
            assertEquals(
                    Optional.of(directory.resolve("relay/sync")), world.files().directory());
            assertTrue(Files.isDirectory(directory.resolve("relay/sync")));
        }
        try (var world = world(configuration(directory, Map.of("GRAPNEL_DATABASE_BACKEND", "memory")))) {
            assertEquals(Optional.empty(), world.files().directory());
        }
    }

    @Test
    void challengeIsAnsweredWithTheOperatorsKey(@TempDir Path directory) throws Exception {
        try (var world = world(configuration(directory, Map.of()))) {
            var relay = RelayPlaces.parse("wss://relay.example.com/x").require();
            var answer = world.signer().authenticate(relay, "prove it");
            assertEquals(StoreSamples.author(999), answer.author());
            assertEquals(
                    Optional.empty(),
                    RelayAuth.judge(
                            answer,
                            "prove it",
                            ServiceAddress.parse("relay.example.com", "/x").require(),
                            store.time.instant()));
            assertEquals(
                    "OperatorSigner(" + StoreSamples.author(999) + ")",
                    world.signer().toString());
        }
    }
}
