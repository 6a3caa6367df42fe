package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// One relay and one client with a network between them.
final class RelayUnderTest {
    static final RemoteUrl URL =
            RelayPlaces.parse("wss://relay.example.com").find().orElseThrow();
    static final long BEGIN = 1_700_000_000;

    final VirtualScheduler time = new VirtualScheduler(Instant.ofEpochSecond(BEGIN));
    final SplittableRandom random = new SplittableRandom(1);
    final SimNetwork network = new SimNetwork(time, random.split());
    final SimRelay relay;
    final NodePort port = network.connect("node");
    final Asker asker;

    RelayUnderTest(RelayModel model) {
        relay = SimRelay.withEvents(time, random.split(), URL, model);
        network.serve(URL, relay);
        asker = Asker.dial(port, URL);
        time.runFor(Duration.ofSeconds(2));
    }

    /// Fills it with comments on one thing, one in each second.
    List<Event> fill(int count) {
        var events = new ArrayList<Event>();
        for (int number = 0; number < count; number++) {
            var event = comment(BEGIN - count + number, "comment " + number);
            relay.put(event);
            events.add(event);
        }
        return events;
    }

    static Event comment(long createdAt, String text) {
        return StoreSamples.event(1, Kinds.COMMENT, createdAt, List.of(List.of("e", "1".repeat(64))), text);
    }

    static Filter.Builder comments() {
        return Filter.builder().tag('e', List.of("1".repeat(64)));
    }

    void run() {
        time.runFor(Duration.ofSeconds(5));
    }
}
