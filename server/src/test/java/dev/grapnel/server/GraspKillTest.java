package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.Ledger.Fate;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.engine.StoreCheck;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.engine.WriterConfig;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// A GRASP server is killed under load, again and again: everything it answered is so, held or served and never
/// both, and repositories are there exactly for announcements that have one (I-1, I-5, I-11).
///
/// `-Dgrapnel.kill.rounds=200` runs for longer, `-Dgrapnel.kill.seed=7` another history.
final class GraspKillTest {
    /// Repositories of each client that are served from the beginning.
    static final int SEEDS = 3;

    private static final int ROUNDS = Integer.getInteger("grapnel.kill.rounds", 6);
    private static final int SEED = Integer.getInteger("grapnel.kill.seed", 7);
    private static final int CLIENTS = 4;
    private static final int RESENT_MAX = 300;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<GraspClient> clients = new ArrayList<>();
    private final Set<RepositoryAddress> transientAddresses = new TreeSet<>();
    private Set<RepositoryAddress> readable = Set.of();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    /// How a round ends.
    private enum Round {
        UNDER_LOAD,
        WHILE_IT_STARTS,
        WHILE_IT_SWEEPS;

        static Round of(int number) {
            return switch (number % 5) {
                case 2 -> WHILE_IT_SWEEPS;
                case 3 -> WHILE_IT_STARTS;
                default -> UNDER_LOAD;
            };
        }

        /// After a sweep nothing more expires, so that it can be looked at.
        String[] flags() {
            var time = this == WHILE_IT_SWEEPS ? "1" : "3600";
            return new String[] {
                "--domain",
                GraspClient.DOMAIN,
                "--events-per-second-per-ip",
                "1000000",
                "--events-burst-per-ip",
                "1000000",
                "--hunt-enabled=false",
                "--purgatory-expiry-secs",
                time,
                "--purgatory-soft-expiry-secs",
                time,
                "--purgatory-sweep-interval-secs",
                time,
            };
        }
    }

    @Test
    void whatWasAnsweredIsSoAfterAKill() throws Exception {
        seed();
        for (int number = 0; number < ROUNDS; number++) {
            var round = Round.of(number);
            try (var server = ServerProcess.startGrasp(directory, round.flags())) {
                if (round == Round.WHILE_IT_STARTS) {
                    LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(1_500)));
                    server.kill();
                } else {
                    live(server, round, number);
                }
            }
            lookInside(round, number);
        }
        int promised =
                clients.stream().mapToInt(client -> client.ledger().size()).sum();
        assertTrue(promised > ROUNDS * 10, "only " + promised + " events prove little");
        try (var server = ServerProcess.startGrasp(directory, Round.UNDER_LOAD.flags())) {
            ask(server.awaitPort(), ROUNDS);
            server.signal("TERM");
            assertEquals(0, server.awaitEnd(60));
        }
        var check = ServerProcess.run(directory, "store", "check");
        var words = check.inputReader().lines().collect(Collectors.joining("\n"));
        assertEquals(0, check.waitFor(), words);
    }

    /// Some repositories are served: their announcements come from a back-up.
    private void seed() throws Exception {
        var lines = new ArrayList<String>();
        for (int number = 0; number < CLIENTS; number++) {
            var client = new GraspClient(number, random.split());
            clients.add(client);
            for (int index = 0; index < SEEDS; index++) {
                lines.add(client.seed(index).toString());
            }
        }
        var file = Files.write(directory.resolve("seeds.jsonl"), lines);
        assertEquals(0, ServerProcess.run(directory, "import", file.toString()).waitFor());
    }

    private void live(ServerProcess server, Round round, int number) throws Exception {
        int port = server.awaitPort();
        if (round == Round.UNDER_LOAD) {
            ask(port, number);
        }
        clients.forEach(GraspClient::forgetAnswers);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var lives = clients.stream()
                    .map(client -> threads.submit(life(client, round, port, number)))
                    .toList();
            awaitAnswers(random.nextInt(1, 40), lives);
            long most = round == Round.WHILE_IT_SWEEPS ? 3_500 : 5;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(most)));
            server.kill();
            for (Future<Boolean> life : lives) {
                life.get();
            }
        }
    }

    /// A client that was told something wrong ends, and nobody must wait for its answers.
    private void awaitAnswers(int count, List<Future<Boolean>> lives) throws Exception {
        if (!clients.getFirst().hasAnswers(count)) {
            for (var life : lives) {
                if (life.isDone()) {
                    life.get();
                }
            }
            throw new AssertionError("fewer than " + count + " answers came");
        }
    }

    private static Callable<Boolean> life(GraspClient client, Round round, int port, int number) {
        return () -> {
            try {
                if (round == Round.WHILE_IT_SWEEPS) {
                    client.runTransient(port, number);
                } else {
                    client.run(port);
                }
            } catch (IOException _) {
                // the server is gone, which ends this
            }
            return true;
        };
    }

    // ---- while it is dead

    private void lookInside(Round round, int number) {
        var relay = directory.resolve("data").resolve("relay");
        var problems = new ArrayList<String>();
        try (var engine = LmdbEngine.open(relay, LmdbConfig.DEFAULTS)) {
            assertEquals(0, StoreCheck.run(engine, problems::add, _ -> {}).problems(), problems::toString);
        }
        try (var store = new TableStore(
                LmdbEngine.open(relay, LmdbConfig.DEFAULTS),
                StoreRules.DEFAULTS,
                WriterConfig.DEFAULTS,
                InstantSource.system(),
                new UnharmedStore())) {
            var held = store.read(GraspKillTest::heldIn);
            clients.forEach(client -> settle(client, held, store, number));
            if (round == Round.UNDER_LOAD && number > 0) {
                assertEquals(store.read(this::activeIn), readable, "repositories of guests, round " + number);
            }
        }
        if (round == Round.WHILE_IT_SWEEPS) {
            clients.forEach(client -> GraspClient.transientIdentifiers(number)
                    .forEach(identifier -> transientAddresses.add(address(client.guest(), identifier))));
        }
    }

    private static Map<EventId, PublicKey> heldIn(StoreView view) {
        var held = new HashMap<EventId, PublicKey>();
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            view.forEachRow(table, Bytes.EMPTY, row -> {
                var id = ((Held) row).event().id();
                held.put(id, ((Held) row).event().author());
                assertTrue(!view.isServed(id), () -> id + " is held and served");
            });
        }
        return held;
    }

    private Set<RepositoryAddress> activeIn(StoreView view) {
        var addresses = new TreeSet<RepositoryAddress>();
        view.forEachRow(Table.HELD_ANNOUNCEMENTS, Bytes.EMPTY, row -> {
            var held = (HeldAnnouncement) row;
            if (held.phase() == HeldAnnouncement.Phase.ACTIVE && transientAddresses.contains(held.repository())) {
                addresses.add(held.repository());
            }
        });
        return addresses;
    }

    /// What was on its way when the server died has happened, or not; nothing in between.
    private static void settle(GraspClient client, Map<EventId, PublicKey> held, TableStore store, int number) {
        var complaints = new ArrayList<String>();
        for (var ledger : client.possible()) {
            var problems = problemsOf(client, ledger, held, store);
            if (problems.isEmpty()) {
                client.settle(ledger);
                client.transients()
                        .forEach(event ->
                                assertTrue(!store.read(view -> view.isServed(event.id())), () -> event + " is served"));
                return;
            }
            complaints.add(problems.toString());
        }
        throw new AssertionError("after round " + number + " of client " + client.owner() + ": " + complaints);
    }

    private static List<String> problemsOf(
            GraspClient client, Ledger ledger, Map<EventId, PublicKey> held, TableStore store) {
        var problems = new ArrayList<String>();
        var people = client.people().stream().map(StoreSamples::author).toList();
        held.forEach((id, author) -> {
            if (people.contains(author) && !ledger.ids(Fate.HELD).contains(id)) {
                problems.add("nobody was told that this is held: " + id);
            }
        });
        for (var fate : Fate.values()) {
            for (var event : ledger.all(fate)) {
                boolean isHeld = held.containsKey(event.id());
                boolean isServed = store.read(view -> view.isServed(event.id()));
                if (isHeld != (fate == Fate.HELD) || isServed != (fate == Fate.SERVED)) {
                    problems.add(fate + (isHeld ? " is held " : " ") + (isServed ? "is served " : "") + event);
                }
            }
        }
        return problems;
    }

    // ---- while it lives

    private void ask(int port, int number) throws IOException, InterruptedException {
        try (var relay = new RelayClient(WireClient.open(port));
                var web = PlainHttp.client()) {
            for (var client : clients) {
                askForServed(client, relay, number);
                sendAgain(client.ledger(), relay, number);
                askForRepositories(client, web, port, number);
            }
            var found = new TreeSet<RepositoryAddress>();
            for (var address : transientAddresses) {
                if (status(web, port, address) == 200) {
                    found.add(address);
                }
            }
            readable = found;
        }
    }

    private static void askForServed(GraspClient client, RelayClient relay, int number) throws IOException {
        var authors = client.people().stream()
                .map(person -> "\"" + StoreSamples.author(person) + "\"")
                .collect(Collectors.joining(",", "{\"authors\":[", "]}"));
        assertEquals(
                client.ledger().ids(Fate.SERVED),
                Set.copyOf(relay.query(authors)),
                "served to everybody, round " + number);
        assertEquals(List.of(), relay.query("{\"authors\":[\"" + StoreSamples.author(client.guest()) + "\"]}"));
    }

    private void sendAgain(Ledger ledger, RelayClient relay, int number) throws IOException {
        for (var fate : Fate.values()) {
            var all = ledger.all(fate);
            var answer = switch (fate) {
                case HELD -> "duplicate: in purgatory";
                case SERVED -> "duplicate: already have this event";
                case REPLACED -> "duplicate: have a newer version";
                case DELETED -> "blocked: deletion of this event was requested by its author";
                case GONE -> "";
            };
            if (!answer.isEmpty()) {
                for (var event : some(all)) {
                    assertEquals(answer, relay.publish(event).message(), () -> "round " + number + ": " + event);
                }
            }
        }
    }

    /// The last ones, and others by chance.
    private List<Event> some(List<Event> all) {
        int from = Math.max(0, all.size() - RESENT_MAX);
        return from == 0
                ? all
                : all.subList(random.nextInt(from), all.size()).stream()
                        .limit(RESENT_MAX)
                        .toList();
    }

    private static void askForRepositories(GraspClient client, HttpClient web, int port, int number)
            throws IOException, InterruptedException {
        var ledger = client.ledger();
        for (var identifier : ledger.identifiers()) {
            var phase = ledger.phase(identifier);
            assertEquals(
                    phase.isReadable() ? 200 : 404,
                    status(web, port, address(client.owner(), identifier)),
                    () -> "round " + number + ": " + identifier + " is " + phase);
        }
    }

    private static int status(HttpClient web, int port, RepositoryAddress address)
            throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + port + "/" + new Npub(address.owner()) + "/" + address.identifier()
                + ".git/info/refs?service=git-upload-pack");
        return web.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static RepositoryAddress address(int owner, String identifier) {
        return RepositoryAddress.parse("30617:" + StoreSamples.author(owner) + ":" + identifier)
                .require();
    }
}
