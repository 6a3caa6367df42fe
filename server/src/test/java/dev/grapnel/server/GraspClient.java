package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.server.Ledger.Fate;
import dev.grapnel.server.Ledger.Phase;
import dev.grapnel.server.Ledger.Step;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A client that announces, replaces, leaves, deletes, and keeps a ledger of what it was told. What it had sent
/// when the server died may have happened or not.
final class GraspClient {
    static final String DOMAIN = "git.example.com";

    private static final int IDENTIFIERS = 6;
    private static final int STATES_MAX = 12;
    private static final int PROPOSALS_MAX = 100;

    private final int number;
    private final SplittableRandom random;
    private final long begin = Instant.now().getEpochSecond() - 1_000_000;
    private final List<Event> transients = new ArrayList<>();
    private Ledger ledger = new Ledger();
    private final Semaphore answers = new Semaphore(0);
    private Optional<Step> sent = Optional.empty();
    private long ticks;

    GraspClient(int number, SplittableRandom random) {
        this.number = number;
        this.random = random;
    }

    int owner() {
        return 1 + number * 10;
    }

    private int contributor() {
        return owner() + 1;
    }

    /// Owns what may expire at any time.
    int guest() {
        return owner() + 2;
    }

    List<Integer> people() {
        return List.of(owner(), contributor());
    }

    /// An announcement that becomes served while everything is.
    Event seed(int index) {
        var identifier = "served" + index;
        var event = announcement(owner(), identifier, DOMAIN);
        ledger.adopt(event, identifier);
        return event;
    }

    /// What may be true now.
    List<Ledger> possible() {
        return sent.map(step -> List.of(ledger.after(step), ledger)).orElseGet(() -> List.of(ledger));
    }

    /// What turned out to be true.
    void settle(Ledger truth) {
        ledger = truth;
        sent = Optional.empty();
    }

    /// Waits until it has had so many answers; false if they do not come.
    boolean hasAnswers(int count) throws InterruptedException {
        return answers.tryAcquire(count, 1, TimeUnit.MINUTES);
    }

    /// Forgets the answers so far.
    void forgetAnswers() {
        answers.drainPermits();
    }

    Ledger ledger() {
        return ledger;
    }

    List<Event> transients() {
        return List.copyOf(transients);
    }

    /// Sends one thing after another until the server is gone.
    void run(int port) throws IOException {
        try (var client = new RelayClient(WireClient.open(port))) {
            while (true) {
                var step = next();
                boolean isTaken = ledger.isTaken(step);
                sent = Optional.of(step);
                var ok = client.publish(step.event());
                answers.release();
                assertEquals(isTaken, ok.accepted(), () -> step + ": " + ok.message());
                settle(ledger.after(step));
                boolean isHeld = ledger.ids(Fate.HELD).contains(step.event().id());
                assertEquals(isHeld, ok.message().startsWith("purgatory: "), () -> step + ": " + ok.message());
            }
        }
    }

    private Step next() {
        var identifier = random.nextInt(3) == 0
                ? "served" + random.nextInt(GraspKillTest.SEEDS)
                : "waiting" + random.nextInt(IDENTIFIERS);
        var phase = ledger.phase(identifier);
        boolean isThere = phase.isReadable();
        int choice = random.nextInt(20);
        if (!isThere || choice < 4) {
            return new Step.Announce(announcement(owner(), identifier, DOMAIN), identifier);
        }
        if (choice < 6) {
            return new Step.Leave(announcement(owner(), identifier, "other.example.org"), identifier);
        }
        if (choice < 9) {
            return delete(identifier);
        }
        if (choice < 12 && phase != Phase.HELD) {
            return new Step.Comment(event(contributor(), 1111, List.of(List.of("A", coordinate(identifier)))));
        }
        if (choice < 16 && ledger.of(identifier, Kinds.PULL_REQUEST, Fate.HELD).size() < PROPOSALS_MAX) {
            var commit = List.of("c", "2".repeat(40));
            return new Step.Wait(
                    event(contributor(), Kinds.PULL_REQUEST, List.of(List.of("a", coordinate(identifier)), commit)),
                    identifier);
        }
        if (phase != Phase.WITHDRAWN
                && ledger.of(identifier, Kinds.STATE, Fate.HELD).size() < STATES_MAX) {
            return new Step.Wait(state(owner(), identifier), identifier);
        }
        return new Step.Announce(announcement(owner(), identifier, DOMAIN), identifier);
    }

    /// Of a state or a pull request that waits, or of the announcement.
    private Step delete(String identifier) {
        var kinds = List.of(Kinds.STATE, Kinds.PULL_REQUEST, Kinds.ANNOUNCEMENT);
        int kind = kinds.get(random.nextInt(kinds.size()));
        var waiting = ledger.of(identifier, kind, Fate.HELD);
        if (kind != Kinds.ANNOUNCEMENT && !waiting.isEmpty()) {
            var target = waiting.get(random.nextInt(waiting.size()));
            int author = kind == Kinds.STATE ? owner() : contributor();
            var deletion = event(
                    author, Kinds.DELETION, List.of(List.of("e", target.id().toHex())));
            return new Step.Delete(deletion, target, identifier);
        }
        var target = ledger.announcement(identifier).orElseThrow();
        var named = random.nextBoolean() ? List.of("e", target.id().toHex()) : List.of("a", coordinate(identifier));
        return new Step.Delete(event(owner(), Kinds.DELETION, List.of(named)), target, identifier);
    }

    /// Sends what soon expires until the server is gone: announcements, states, pull requests, and all of them
    /// once more.
    void runTransient(int port, int round) throws IOException {
        try (var client = new RelayClient(WireClient.open(port))) {
            while (true) {
                var identifier = transientIdentifier(round, random.nextInt(4));
                var event = switch (random.nextInt(6)) {
                    case 0 -> announcement(guest(), identifier, DOMAIN);
                    case 1, 2 -> state(guest(), identifier);
                    case 3 ->
                        event(
                                guest(),
                                Kinds.PULL_REQUEST,
                                List.of(
                                        List.of("a", "30617:" + StoreSamples.author(guest()) + ":" + identifier),
                                        List.of("c", "2".repeat(40))));
                    default ->
                        transients.isEmpty()
                                ? announcement(guest(), identifier, DOMAIN)
                                : transients.get(random.nextInt(transients.size()));
                };
                transients.add(event);
                client.publish(event);
                answers.release();
            }
        }
    }

    static String transientIdentifier(int round, int index) {
        return "transient" + round + "-" + index;
    }

    static Stream<String> transientIdentifiers(int round) {
        return IntStream.range(0, 4).mapToObj(index -> transientIdentifier(round, index));
    }

    private Event announcement(int author, String identifier, String domain) {
        return event(
                author,
                Kinds.ANNOUNCEMENT,
                List.of(
                        List.of("d", identifier),
                        List.of(
                                "clone",
                                GraspUnderTest.cloneUrl(author, identifier).replace(GraspUnderTest.DOMAIN, domain)),
                        List.of("relays", "wss://" + domain)));
    }

    private Event state(int author, String identifier) {
        return event(
                author,
                Kinds.STATE,
                List.of(List.of("d", identifier), List.of("refs/heads/main", "%040x".formatted(random.nextLong()))));
    }

    private String coordinate(String identifier) {
        return "30617:" + StoreSamples.author(owner()) + ":" + identifier;
    }

    /// Each is newer than all before it.
    private Event event(int author, int kind, List<List<String>> tags) {
        return StoreSamples.event(author, kind, begin + ticks++, tags, "");
    }
}
