package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Deletion requests end with the times an operator chose (service 4.9.3), as far as clients and dashboards see.
final class RequestLifetimeTest {
    private static final long NOW = 1_700_000_000;
    private static final String RUNS = "ngit_deletion_request_cleanup_runs_total";
    private static final String REMOVED = "ngit_deletion_request_cleanup_removed_total";
    private static final String[] SETTINGS = {
        "HOLDING_CLEANUP_INTERVAL_SECS", "1",
        "DELETION_REQUEST_RETENTION_UNUSED_SERVED_SECS", "10",
        "DELETION_REQUEST_RETENTION_UNUSED_UNSERVED_GATING_ADDITIONAL_SECS", "20",
        "DELETION_REQUEST_RETENTION_USED_SERVED_AFTER_LAST_USED_SECS", "40",
        "DELETION_REQUEST_RETENTION_USED_UNSERVED_GATING_ADDITIONAL_SECS", "80"
    };

    private final ManualTime time = new ManualTime(NOW);

    private static Event note(String content) {
        return StoreSamples.event(0, 1, NOW, List.of(), content);
    }

    private static Event deletionOf(int author, Event target) {
        return StoreSamples.event(
                author, 5, NOW, List.of(List.of("e", target.id().toString())), "");
    }

    /// Lets time pass until a pass has begun afterwards and ended.
    private void pass(RelayUnderTest relay, long seconds) {
        time.advance(Duration.ofSeconds(seconds));
        double before = relay.metric(RUNS);
        Gauges.awaitThat("two passes", () -> relay.metric(RUNS) >= before + 2);
    }

    @Test
    void requestsEndWithTheTimesOfTheSettings() throws IOException {
        try (var relay = RelayUnderTest.startAt(time, SETTINGS);
                var client = relay.connect()) {
            var used = deletionOf(0, note("used"));
            var unused = deletionOf(0, note("unused"));
            assertTaken(client, note("known"));
            assertTaken(client, note("used"));
            assertTaken(client, used);
            assertTaken(client, unused);
            pass(relay, 10);
            assertEquals(List.of(used.id()), client.query("{\"kinds\":[5]}"));
            assertAnswer(client, unused, true, "duplicate: already have this event");
            pass(relay, 20);
            assertTaken(client, note("unused"));
            assertEquals(1, relay.metric(REMOVED + "{type=\"main\"}"));
            assertEquals(1, relay.metric(REMOVED + "{type=\"tombstone\"}"));
            assertEquals(1, relay.metric(REMOVED + "{type=\"metadata\"}"));
            pass(relay, 10);
            assertEquals(List.of(), client.query("{\"kinds\":[5]}"));
            pass(relay, 80);
            assertEquals(2, relay.metric(REMOVED + "{type=\"metadata\"}"));
            assertEquals(1, relay.metric(REMOVED + "{type=\"tombstone\"}"));
            var answer = client.publish(note("used"));
            assertTrue(answer.toString().contains("blocked: deletion of this event"), answer.toString());
        }
    }

    @Test
    void gatesAreShownAndCounted() throws IOException {
        try (var relay = RelayUnderTest.startAt(time, SETTINGS);
                var client = relay.connect()) {
            assertEquals(0, relay.metric("purgatory_gates"));
            assertTaken(client, deletionOf(1, note("x")));
            assertEquals(1, relay.metric("purgatory_gates"));
            assertEquals(1, relay.metric("purgatory_gates_total{outcome=\"put\"}"));
        }
    }

    @Test
    void aPassIsMadeAtTheStart() {
        try (var relay = RelayUnderTest.start()) {
            Gauges.await(relay, RUNS, 1);
        }
    }
}
