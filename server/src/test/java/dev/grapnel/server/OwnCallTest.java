package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.config.ServiceDomain;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.Rule;
import dev.grapnel.outbound.ScriptedNames;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.sync.SyncThread;
import dev.grapnel.server.sync.SyncWorld;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A server that calls itself under a name it does not know (sync R1.15).
final class OwnCallTest {
    @Test
    void serverDoesNotTalkToItself() throws Exception {
        var names = new ScriptedNames().answer("alias.example", "127.0.0.1");
        try (var server = RelayUnderTest.start();
                var world = world(server.service(), names)) {
            var alias = RelayPlaces.parseConfigured("ws://alias.example:" + server.port())
                    .require();
            var ours = new Failure.Policy(Rule.OWN, "it leads to this service itself");
            assertEquals(ours, fail(world, alias));
            assertEquals(ours, fail(world, alias));
            assertEquals(1, names.asked().size()); // the second time nobody was called
            server.connect().close(); // everybody else is welcome
        }
    }

    private static SyncWorld world(Service service, ScriptedNames names) throws IOException {
        var settings = RelayUnderTest.configuration(null);
        var time = new Timeline(InstantSource.system(), System::nanoTime);
        return new SyncWorld(
                settings,
                ServiceDomain.of(settings, service.port()),
                new Build("0.0.0-test", "", "https://example.com/grapnel"),
                service.store(),
                new Pools(MaintainerModel.CONFIRMED, _ -> false, time),
                new SyncWorld.Surroundings(
                        names,
                        Dialer.systemTls(),
                        service.calls(),
                        StoreSamples.secretKey(999),
                        new SecureRandom(),
                        InstantSource.system(),
                        System::nanoTime,
                        1L << 30,
                        2),
                SyncThread.Watcher.NONE);
    }

    private static Failure fail(SyncWorld world, RemoteUrl relay) throws Exception {
        var failure = new CompletableFuture<Failure>();
        world.loop().post(() -> world.transport().dial(relay, true, Duration.ofSeconds(20), new Outcome(failure)));
        return failure.get(20, TimeUnit.SECONDS);
    }

    private record Outcome(CompletableFuture<Failure> failure) implements Transport.Listener {
        @Override
        public void opened(Transport.Line line) {
            failure.completeExceptionally(new AssertionError("it talks to itself"));
        }

        @Override
        public void refused(int status, Optional<Duration> retryAfter) {
            failure.completeExceptionally(new AssertionError("refused with " + status));
        }

        @Override
        public void failed(Failure reason) {
            failure.complete(reason);
        }

        @Override
        public void heard(Heard heard) {
            // it is an error already that there is somebody to hear
        }

        @Override
        public void lost(Failure reason) {
            // the same
        }
    }
}
