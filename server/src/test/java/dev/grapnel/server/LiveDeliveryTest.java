package dev.grapnel.server;

import static dev.grapnel.server.RelayUnderTest.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Relay 2.5 and 2.7, tests 84 to 91 and 193: new events reach those who asked for them, each once, in order.
final class LiveDeliveryTest {
    private static final int EPHEMERAL = 20_001;
    private static final int REPLACEABLE = 10_002;

    private final AtomicInteger numbers = new AtomicInteger();
    private RelayUnderTest relay;

    @BeforeEach
    void start() {
        relay = RelayUnderTest.start();
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    private static Event event(int author, int kind, String content, String... tag) {
        return StoreSamples.event(author, kind, now(), tag.length == 0 ? List.of() : List.of(List.of(tag)), content);
    }

    private static String byAuthor(int author) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]}";
    }

    /// Makes sure that nothing was delivered but this: whatever was committed before comes before.
    private void expectOnly(RelayClient client, String subscription, String filterKind) throws IOException {
        var last = event(90, Integer.parseInt(filterKind), "last " + numbers.incrementAndGet());
        try (var other = relay.connect()) {
            other.publishOk(last);
        }
        assertEquals(last, client.live(subscription));
    }

    // ---- who gets what

    @Test
    void eventPublishedAfterTheStoredOnesArrivesOnce() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            assertEquals(List.of(), reader.subscribe("s", "{\"kinds\":[1]}"));
            var first = writer.publishOk(note(1, "one"));
            assertEquals(first, reader.live("s"));
            assertTrue(writer.publish(first).message().startsWith("duplicate:"));
            expectOnly(reader, "s", "1");
        }
    }

    @Test
    void eventComesOnceForEachSubscriptionHoweverManyFiltersMatch() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            reader.subscribe("both", "{\"kinds\":[1]}", byAuthor(1), "{\"#t\":[\"x\",\"y\"]}", "{}");
            reader.subscribe("other", byAuthor(1), "{\"kinds\":[7]}");
            var sent = writer.publishOk(
                    StoreSamples.event(1, 1, now(), List.of(List.of("t", "x"), List.of("t", "y")), "both"));
            var ids = new HashSet<String>();
            for (int i = 0; i < 2; i++) {
                var delivery = (dev.grapnel.nostr.message.RelayMessage.Delivery) reader.message();
                assertEquals(sent, delivery.event());
                assertTrue(ids.add(delivery.id().text()));
            }
            reader.send("[\"CLOSE\",\"other\"]");
            expectOnly(reader, "both", "7");
        }
    }

    @Test
    void publisherHearsOfItsOwnEvent() throws Exception {
        try (var client = Listener.on(relay)) {
            client.send("[\"REQ\",\"mine\",{\"kinds\":[1]}]");
            for (int i = 1; i <= 50; i++) {
                int count = i;
                client.send("[\"EVENT\"," + note(1, "mine " + i) + "]");
                client.await(
                        "answer and event",
                        () -> client.accepted().size() == count && client.eventCount("mine") == count);
            }
            assertEquals(client.accepted(), client.events("mine"));
        }
    }

    @Test
    void sinceAndUntilGoOnToApply() throws Exception {
        long now = now();
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            reader.subscribe("until", "{\"kinds\":[1],\"until\":" + (now - 1000) + "}");
            reader.subscribe("since", "{\"kinds\":[1],\"since\":" + (now - 500) + "}");
            reader.subscribe("never", "{\"kinds\":[1],\"since\":5,\"until\":4}", "{\"kinds\":[]}", "{\"ids\":[]}");
            writer.publishOk(StoreSamples.event(1, 1, now - 700, List.of(), "between"));
            var old = writer.publishOk(StoreSamples.event(1, 1, now - 1000, List.of(), "old"));
            var recent = writer.publishOk(StoreSamples.event(1, 1, now - 500, List.of(), "recent"));
            assertEquals(old, reader.live("until"));
            assertEquals(recent, reader.live("since"));
        }
    }

    @Test
    void limitDoesNotEndLiveDelivery() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            writer.publishOk(note(1, "stored"));
            assertEquals(List.of(), reader.subscribe("none", "{\"kinds\":[1],\"limit\":0}"));
            for (int i = 0; i < 5; i++) {
                assertEquals(writer.publishOk(note(1, "live " + i)), reader.live("none"));
            }
        }
    }

    @Test
    void nothingComesAfterCloseOrForAReplacedFilter() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            reader.subscribe("gone", "{\"kinds\":[1]}");
            reader.subscribe("changed", "{\"kinds\":[1]}");
            reader.send("[\"CLOSE\",\"gone\"]");
            reader.subscribe("changed", "{\"kinds\":[7]}");
            writer.publishOk(note(1, "for nobody"));
            expectOnly(reader, "changed", "7");
            assertEquals(1, relay.metric("grapnel_subscriptions"));
        }
    }

    @Test
    void refusedReplacedAndKnownEventsAreNotDelivered() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            reader.subscribe("s", "{}");
            long now = now();
            var newer = writer.publishOk(StoreSamples.event(1, REPLACEABLE, now, List.of(), "newer"));
            assertEquals(newer, reader.live("s"));
            assertFalse(writer.publish(StoreSamples.event(1, REPLACEABLE, now - 1, List.of(), "older"))
                    .accepted());
            assertFalse(writer.publish(StoreSamples.event(1, 1, now + 3600, List.of(), "future"))
                    .accepted());
            assertFalse(writer.publish(event(1, 1, "over", "expiration", Long.toString(now - 10)))
                    .accepted());
            assertTrue(writer.ask("[\"EVENT\"," + event(1, 1, "protected", "-") + "]")
                    .startsWith("[\"AUTH\","));
            assertTrue(writer.receive().contains(",false,\"auth-required:"));
            assertFalse(writer.publish(event(1, 22_242, "auth")).accepted());
            var forged = note(2, "forged").toString();
            writer.send("[\"EVENT\"," + forged.substring(0, forged.length() - 4) + "00\"}]");
            assertTrue(writer.receive().contains(",false,\"invalid:"));
            assertTrue(writer.publish(newer).accepted());
            var deleted = writer.publishOk(note(3, "to be deleted"));
            assertEquals(deleted, reader.live("s"));
            var deletion = writer.publishOk(event(3, 5, "", "e", deleted.id().toString()));
            assertEquals(deletion, reader.live("s"));
            assertFalse(writer.publish(deleted).accepted());
            expectOnly(reader, "s", "1");
        }
    }

    @Test
    void ephemeralEventsAreDeliveredAndNotKept() throws Exception {
        try (var reader = relay.connect();
                var writer = relay.connect()) {
            reader.subscribe("s", "{\"kinds\":[" + EPHEMERAL + ",1]}");
            var passing = writer.publishOk(event(1, EPHEMERAL, "passing"));
            assertEquals(passing, reader.live("s"));
            assertTrue(writer.publish(passing).accepted());
            assertFalse(writer.publish(StoreSamples.event(1, EPHEMERAL, now() - 400, List.of(), "stale"))
                    .accepted());
            expectOnly(reader, "s", "1");
            assertEquals(List.of(), writer.query("{\"kinds\":[" + EPHEMERAL + "]}"));
        }
    }

    @Test
    void publisherOfEphemeralEventHearsItsAnswerFirst() throws Exception {
        try (var client = relay.connect()) {
            client.subscribe("s", "{\"kinds\":[" + EPHEMERAL + "]}");
            for (int i = 0; i < 300; i++) {
                var passing = client.publishOk(event(1, EPHEMERAL, "number " + i));
                assertEquals(passing, client.live("s"));
            }
        }
    }

    /// The reader takes so little that its scan has to rest; what comes meanwhile follows EOSE.
    @Test
    void whatComesDuringTheStoredPhaseFollowsItsEnd() throws Exception {
        try (var writer = relay.connect();
                var socket = new Socket()) {
            var stored = new HashSet<Event>();
            for (int i = 0; i < 40; i++) {
                stored.add(writer.publishOk(note(i, i + "x".repeat(400_000))));
            }
            socket.setReceiveBufferSize(16 << 10);
            socket.setSoTimeout(20_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()));
            var reader = new RelayClient(WireClient.on(socket));
            reader.send("[\"REQ\",\"s\",{\"kinds\":[1," + EPHEMERAL + "]}]");
            var first = ((dev.grapnel.nostr.message.RelayMessage.Delivery) reader.message()).event();
            assertTrue(stored.remove(first));
            var late = Set.of(
                    writer.publishOk(event(50, EPHEMERAL, "one")),
                    writer.publishOk(note(51, "two")),
                    writer.publishOk(event(52, EPHEMERAL, "three")));
            assertEquals(stored, new HashSet<>(reader.stored("s")));
            // in no order: what is stored comes by way of the store, what is only passed on does not
            var heard = new HashSet<Event>();
            for (int i = 0; i < late.size(); i++) {
                heard.add(reader.live("s"));
            }
            assertEquals(late, heard);
            expectOnly(reader, "s", "1");
        }
    }

    /// Relay test 187: filters as long as the largest known projects need them.
    @Test
    void longFiltersFindWhatTheyAskFor() throws Exception {
        var authors = IntStream.range(0, 1_000)
                .mapToObj(i -> '"' + StoreSamples.author(i).toString() + '"')
                .collect(Collectors.joining(","));
        var values = IntStream.range(0, 2_000).mapToObj("\"%064x\""::formatted).collect(Collectors.joining(","));
        try (var writer = relay.connect();
                var reader = relay.connect()) {
            var byAuthor = new ArrayList<Event>();
            var byRoot = new ArrayList<Event>();
            for (int i = 0; i < 20; i++) {
                byAuthor.add(writer.publishOk(note(i * 50, "by author " + i)));
                byRoot.add(writer.publishOk(event(5_000, 1630 + i % 4, "status", "e", "%064x".formatted(i * 100))));
                writer.publishOk(note(2_000 + i, "of somebody else"));
                writer.publishOk(event(5_000, 1630, "of another", "e", "%064x".formatted(3_000 + i)));
            }
            assertEquals(
                    new HashSet<>(byAuthor),
                    new HashSet<>(reader.subscribe("authors", "{\"kinds\":[1],\"authors\":[" + authors + "]}")));
            assertEquals(
                    new HashSet<>(byRoot),
                    new HashSet<>(reader.subscribe(
                            "roots", "{\"kinds\":[1617,5,1619,1630,1631,1632,1633],\"#e\":[" + values + "]}")));
            writer.publishOk(note(2_500, "of somebody else"));
            assertEquals(writer.publishOk(note(999, "live")), reader.live("authors"));
            assertEquals(
                    writer.publishOk(event(5_000, 1619, "live", "e", "%064x".formatted(1_999))), reader.live("roots"));
        }
    }

    // ---- at the same time

    private static <T> List<T> together(List<Callable<T>> tasks) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }

    /// A thousand subscriptions begin while others publish; each misses nothing and hears nothing twice.
    @Test
    void everySubscriptionSeesEachEventOnceWheneverItBegins() throws Exception {
        int authors = 4;
        int connections = 40;
        int each = 25;
        var published = new ArrayList<List<Event>>();
        for (int author = 0; author < authors; author++) {
            var events = new ArrayList<Event>();
            for (int i = 0; i < 150; i++) {
                events.add(event(author, 1, "event " + i));
            }
            published.add(events);
        }
        var listeners = new ArrayList<Listener>();
        try {
            for (int i = 0; i < connections; i++) {
                listeners.add(Listener.on(relay));
            }
            var barrier = new CyclicBarrier(authors + connections);
            var tasks = new ArrayList<Callable<Boolean>>();
            for (var events : published) {
                tasks.add(() -> {
                    barrier.await();
                    publishAll(events);
                    return true;
                });
            }
            for (var listener : listeners) {
                tasks.add(() -> {
                    barrier.await();
                    for (int i = 0; i < each; i++) {
                        listener.send("[\"REQ\",\"s" + i + "\"," + byAuthor(i % authors) + "]");
                        listener.await("EOSE of s" + i, eose(listener, "s" + i));
                    }
                    return true;
                });
            }
            together(tasks);
            var last = new ArrayList<Event>();
            for (int author = 0; author < authors; author++) {
                last.add(event(author, 1, "the last"));
            }
            publishAll(last);
            boolean someStored = false;
            boolean someLive = false;
            for (var listener : listeners) {
                for (int i = 0; i < each; i++) {
                    var id = "s" + i;
                    var expected = ids(published.get(i % authors));
                    var end = last.get(i % authors).id().toString();
                    listener.await(
                            "the last of " + id, () -> listener.events(id).contains(end));
                    var got = listener.events(id);
                    assertEquals(end, got.getLast());
                    assertEquals(expected.size() + 1, got.size());
                    assertEquals(new HashSet<>(expected), new HashSet<>(got.subList(0, got.size() - 1)));
                    int stored = listener.stored(id);
                    var live = got.subList(stored, got.size() - 1);
                    assertEquals(expected.subList(expected.size() - live.size(), expected.size()), live);
                    someStored |= stored > 0;
                    someLive |= live.size() > 0;
                }
            }
            assertTrue(someStored && someLive, "publishing and subscribing did not overlap");
            assertEquals(connections * each, relay.metric("grapnel_subscriptions"));
        } finally {
            for (var listener : listeners) {
                listener.close();
            }
        }
    }

    private static java.util.function.BooleanSupplier eose(Listener listener, String id) {
        return () -> listener.ends(id) == 1;
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(event -> event.id().toString()).toList();
    }

    /// Pipelined, and all must be taken.
    private void publishAll(List<Event> events) throws Exception {
        try (var publisher = Listener.on(relay)) {
            for (var event : events) {
                publisher.send("[\"EVENT\"," + event + "]");
            }
            publisher.await("all answers", () -> publisher.answerCount() == events.size());
            assertEquals(events.size(), publisher.accepted().size());
        }
    }

    /// Versions of one address can only be taken in ascending order, whoever sends them: so this is the order
    /// of commits.
    @Test
    void liveOrderIsCommitOrder() throws Exception {
        long from = now() - 1_000;
        var versions = new ArrayList<Event>();
        for (int i = 0; i < 400; i++) {
            versions.add(StoreSamples.event(7, REPLACEABLE, from + i, List.of(), "version " + i));
        }
        var order = ids(versions);
        var shuffled = new ArrayList<>(versions.subList(0, versions.size() - 1));
        Collections.shuffle(shuffled, new java.util.Random(1));
        try (var one = Listener.on(relay);
                var two = Listener.on(relay);
                var last = relay.connect()) {
            one.send("[\"REQ\",\"s\"," + byAuthor(7) + "]");
            two.send("[\"REQ\",\"s\",{\"kinds\":[" + REPLACEABLE + "]}]");
            one.await("EOSE", eose(one, "s"));
            two.await("EOSE", eose(two, "s"));
            var tasks = new ArrayList<Callable<List<String>>>();
            for (int i = 0; i < 8; i++) {
                int from8 = i;
                tasks.add(() -> publishSome(shuffled, from8));
            }
            var accepted = new HashSet<String>();
            together(tasks).forEach(accepted::addAll);
            var end = last.publishOk(versions.getLast()).id().toString();
            accepted.add(end);
            one.await("the last", () -> one.events("s").contains(end));
            two.await("the last", () -> two.events("s").contains(end));
            assertEquals(order.stream().filter(accepted::contains).toList(), one.events("s"));
            assertEquals(one.events("s"), two.events("s"));
        }
    }

    /// Every eighth, sorted so that many are taken.
    private List<String> publishSome(List<Event> versions, int from) throws Exception {
        var mine = new ArrayList<Event>();
        for (int i = from; i < versions.size(); i += 8) {
            mine.add(versions.get(i));
        }
        mine.sort(java.util.Comparator.comparingLong(Event::createdAt));
        try (var publisher = Listener.on(relay)) {
            for (var event : mine) {
                publisher.send("[\"EVENT\"," + event + "]");
            }
            publisher.await("all answers", () -> publisher.answerCount() == mine.size());
            return publisher.accepted();
        }
    }

    @Test
    void eventThatManySendAtOnceComesOnce() throws Exception {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 20; i++) {
            events.add(note(i, "the same"));
            events.add(event(i, EPHEMERAL, "the same"));
        }
        try (var reader = Listener.on(relay)) {
            reader.send("[\"REQ\",\"s\",{}]");
            reader.await("EOSE", eose(reader, "s"));
            var tasks = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < 10; i++) {
                tasks.add(() -> {
                    publishAll(events);
                    return true;
                });
            }
            together(tasks);
            publishAll(List.of(note(60, "end")));
            reader.await("the end", () -> reader.eventCount("s") >= events.size() + 1);
            var got = reader.events("s");
            assertEquals(events.size() + 1, got.size());
            assertEquals(events.size() + 1, new HashSet<>(got).size());
        }
    }

    /// Relay test 193.
    @Test
    void eventIsGoneWhenItAndItsDeletionWereAnswered() throws Exception {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 30; i++) {
            events.add(note(i, "short life " + i));
        }
        var tasks = new ArrayList<Callable<Boolean>>();
        for (var event : events) {
            int author = events.indexOf(event);
            var deletion = event(author, 5, "", "e", event.id().toString());
            var barrier = new CyclicBarrier(4);
            for (int i = 0; i < 4; i++) {
                boolean deletes = i == 3;
                tasks.add(() -> {
                    try (var client = relay.connect()) {
                        barrier.await();
                        var ok = client.publish(deletes ? deletion : event);
                        assertTrue(ok.accepted() || ok.message().startsWith("blocked:"), ok.message());
                        return true;
                    }
                });
            }
        }
        together(tasks);
        try (var reader = relay.connect()) {
            assertEquals(List.of(), reader.query("{\"kinds\":[1]}"));
            assertEquals(events.size(), reader.query("{\"kinds\":[5]}").size());
        }
    }

    /// Pipelined, the event comes stored or live (relay 2.7).
    @Test
    void eventAndQuestionSentTogetherMeet() throws Exception {
        try (var client = Listener.on(relay)) {
            for (int i = 0; i < 200; i++) {
                var event = note(1, "pipelined " + i);
                var id = "s" + i;
                client.send("[\"EVENT\"," + event + "]");
                client.send("[\"REQ\",\"" + id + "\",{\"ids\":[\"" + event.id() + "\"]}]");
                client.await("the event", () -> client.ends(id) == 1 && client.eventCount(id) == 1);
            }
            for (int i = 0; i < 200; i++) {
                assertEquals(1, client.eventCount("s" + i));
            }
        }
    }

    /// Relay 2.7: what was answered is found.
    @Test
    void questionAfterTheAnswerFindsTheEvent() throws Exception {
        var tasks = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < 8; i++) {
            int author = i;
            tasks.add(() -> {
                try (var writer = relay.connect();
                        var reader = relay.connect()) {
                    for (int j = 0; j < 50; j++) {
                        var event = writer.publishOk(note(author, "written " + j));
                        assertEquals(List.of(event.id()), reader.query("{\"ids\":[\"" + event.id() + "\"]}"));
                    }
                    return true;
                }
            });
        }
        assertEquals(8, together(tasks).size());
    }

    /// The store may have finished before its caller looks again: the order must not depend on that.
    @Test
    void whoPublishesHearsTheAnswerBeforeTheEvent() throws Exception {
        try (var relay = RelayUnderTest.start();
                var client = relay.connect()) {
            client.subscribe("own", "{}");
            for (int i = 0; i < 300; i++) {
                var note = RelayUnderTest.note(1, "note " + i);
                client.publishOk(note);
                assertEquals(note, client.live("own"));
            }
        }
    }
}
