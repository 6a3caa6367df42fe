package dev.grapnel.sync.sim;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The simplest thing that syncs: connects to every relay it has heard of, asks for everything again and again, and
/// gives it to the gate. It is not polite and learns nothing; with it the world itself is tried.
final class NaiveCore implements Core {
    private static final Duration AGAIN = Duration.ofMinutes(5);
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final Ports ports;
    private final Duration again;
    private final Map<RemoteUrl, Link> links = new LinkedHashMap<>();

    NaiveCore(Ports ports) {
        this(ports, AGAIN);
    }

    /// @param again how long it asks for nothing
    NaiveCore(Ports ports, Duration again) {
        this.ports = ports;
        this.again = again;
    }

    @Override
    public void start() {
        ports.bootstrap().ifPresent(this::meet);
        ports.archive().follow(0, new Archive.Follower() {
            @Override
            public void changed(
                    List<Mutation> mutations, List<Archive.Appearance> appeared, long upTo, Runnable taken) {
                for (var mutation : mutations) {
                    if (mutation instanceof Mutation.Announced announced) {
                        announced.relays().forEach(NaiveCore.this::meet);
                    }
                }
                taken.run();
            }

            @Override
            public void lost(long commitNumber) {
                start();
            }
        });
        scan();
    }

    private void scan() {
        ports.purgatory()
                .announcements()
                .forEach(waiting -> ports.purgatory().relays(waiting).forEach(this::meet));
        ports.scheduler().after(Duration.ofSeconds(5), this::scan);
    }

    @Override
    public void stop() {
        ports.files().save("naive", new byte[] {1, 2, 3}, _ -> {});
    }

    private void meet(RemoteUrl relay) {
        links.computeIfAbsent(relay, url -> {
            var link = new Link(url);
            ports.scheduler().post(link::dial);
            return link;
        });
    }

    private final class Link implements Transport.Listener {
        private final RemoteUrl url;
        private Transport.@Nullable Line line;

        Link(RemoteUrl url) {
            this.url = url;
        }

        void dial() {
            ports.transport().dial(url, false, Duration.ofSeconds(10), this);
        }

        private void ask() {
            var open = line;
            if (open != null) {
                open.send(new ClientMessage.Subscribe(new SubscriptionId("h"), List.of(Filter.ALL)).json(), () -> {});
                ports.scheduler().after(again, this::ask);
            }
        }

        @Override
        public void opened(Transport.Line opened) {
            line = opened;
            ask();
        }

        @Override
        public void refused(int status, Optional<Duration> retryAfter) {
            ports.scheduler().after(RETRY, this::dial);
        }

        @Override
        public void failed(Failure failure) {
            ports.scheduler().after(RETRY, this::dial);
        }

        @Override
        public void heard(Heard heard) {
            if (heard instanceof Heard.Delivered delivered) {
                ports.gate()
                        .admit(delivered.event(), url, _ -> delivered.decided().run());
            }
        }

        @Override
        public void lost(Failure failure) {
            line = null;
            ports.scheduler().after(RETRY, this::dial);
        }
    }
}
