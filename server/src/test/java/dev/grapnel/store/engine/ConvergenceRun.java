package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.RandomEvents.AUTHORS;
import static dev.grapnel.store.engine.RandomEvents.SECONDS;
import static dev.grapnel.store.engine.RandomEvents.namesOf;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Urgency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/// One random set of events, brought to new stores in random orders, batches and with restarts in between: all
/// must end with the same (relay 4.11).
///
/// The exceptions that section lists are avoided here:
/// - (a) nothing expires, the clock moves by milliseconds, and gates have all the room they need;
/// - (b) a request names a version by its id only if that is the only one of its address in the set;
/// - (c) a request names no event that is dated after a request to vanish which is not dated before itself;
/// - (d) what is held is released in the end.
///
/// One more follows from gates: whether a request of somebody who *no longer* has anything here is served
/// depends on when it came. Only others can take away somebody's last event, and only a gift wrap. So gift
/// wraps have a recipient each, and authors, as in life, who do nothing else.
final class ConvergenceRun {
    private static final int EVENTS = 24;
    private static final int WRAPPERS = 10;

    private final Random random;
    private final List<Event> events = new ArrayList<>();

    ConvergenceRun(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 3; i++) {
            add(random.nextInt(AUTHORS), 62, List.of(List.of("relay", "ALL_RELAYS")));
        }
        while (events.size() < EVENTS) {
            addPlain();
        }
        for (int i = 0; i < EVENTS / 2; i++) {
            addDeletion();
        }
    }

    private void add(int author, int kind, List<List<String>> tags) {
        long date = NOW + random.nextInt(SECONDS);
        events.add(StoreSamples.event(author, kind, date, tags, "number " + events.size()));
    }

    private void addPlain() {
        int author = random.nextInt(AUTHORS);
        switch (random.nextInt(6)) {
            case 0 ->
                add(
                        WRAPPERS + events.size(),
                        1059,
                        List.of(List.of("p", StoreSamples.author(author).toString())));
            case 1 -> add(author, 0, List.of());
            case 2 -> add(author, 30_617, List.of(List.of("d", random.nextBoolean() ? "x" : "y")));
            case 3 -> add(author, 30_618, List.of(List.of("d", random.nextBoolean() ? "x" : "y")));
            case 4 ->
                add(
                        author,
                        1618,
                        List.of(List.of("a", "30617:" + StoreSamples.author(0) + ":x"), List.of("c", "12".repeat(20))));
            default -> add(author, 1, List.of());
        }
    }

    private void addDeletion() {
        int author = random.nextInt(AUTHORS);
        var key = StoreSamples.author(author);
        long date = NOW + random.nextInt(SECONDS);
        var tags = new ArrayList<List<String>>();
        for (int i = 0; i < random.nextInt(5); i++) {
            var target = events.get(random.nextInt(events.size()));
            if (NaiveStore.hasAddress(target) && random.nextBoolean()) {
                tags.add(List.of("a", NaiveStore.addressOf(target)));
            } else if (isOnlyVersion(target) && !isAfterVanish(key, date, target)) {
                tags.add(List.of("e", target.id().toString()));
            }
        }
        events.add(StoreSamples.event(author, 5, date, tags, "number " + events.size()));
    }

    private boolean isOnlyVersion(Event event) {
        return !NaiveStore.hasAddress(event)
                || events.stream()
                                .filter(other -> NaiveStore.addressOf(other).equals(NaiveStore.addressOf(event)))
                                .count()
                        == 1;
    }

    private boolean isAfterVanish(PublicKey deleter, long date, Event target) {
        return events.stream()
                .filter(event -> event.kind() == 62 && event.author().equals(deleter) && date <= event.createdAt())
                .anyMatch(vanish -> target.createdAt() > vanish.createdAt());
    }

    /// The names of what a new store shows in the end, when everything has come in one more order.
    List<String> bringTo(StoreFixture fixture) {
        var model = new NaiveStore(fixture.rules(), NOW * 1_000);
        var left = randomSteps();
        while (!left.isEmpty()) {
            var batch = new ArrayList<List<ModelStep>>();
            for (int i = random.nextInt(3); i >= 0 && !left.isEmpty(); i--) {
                var transaction = left.subList(0, Math.min(left.size(), 1 + random.nextInt(4)));
                batch.add(List.copyOf(transaction));
                transaction.clear();
            }
            apply(batch, fixture, model);
            if (random.nextInt(10) == 0) {
                fixture.reopen();
            }
            fixture.time.advance(Duration.ofMillis(1));
            model.advance(1);
        }
        var shown = namesOf(fixture.all());
        assertEquals(namesOf(model.visible()), shown);
        fixture.assertSound();
        assertEquals(List.of(), fixture.problems);
        return shown;
    }

    private static void apply(List<List<ModelStep>> batch, StoreFixture fixture, NaiveStore model) {
        var outcomes = new ArrayList<CompletableFuture<List<String>>>();
        for (var steps : batch) {
            outcomes.add(fixture.store()
                    .write(
                            Urgency.WAITING,
                            0,
                            transaction -> steps.stream()
                                    .map(step -> step.on(transaction))
                                    .toList()));
        }
        for (int i = 0; i < batch.size(); i++) {
            var expected = batch.get(i).stream().map(step -> step.on(model)).toList();
            assertEquals(expected, outcomes.get(i).join(), batch::toString);
        }
    }

    /// Everything in random order, some of it twice, some held first and released later.
    private List<ModelStep> randomSteps() {
        var order = new ArrayList<>(events);
        for (int i = 0; i < 5; i++) {
            order.add(events.get(random.nextInt(events.size())));
        }
        Collections.shuffle(order, random);
        var steps = new ArrayList<ModelStep>();
        for (var event : order) {
            boolean waits = RandomEvents.mayBeHeld(event) && random.nextBoolean();
            steps.add(waits ? new ModelStep.Hold(event) : new ModelStep.Save(event));
        }
        for (var event : order) {
            int held = steps.indexOf(new ModelStep.Hold(event));
            if (held >= 0) {
                steps.add(held + 1 + random.nextInt(steps.size() - held), new ModelStep.Release(event));
            }
        }
        events.stream().filter(RandomEvents::mayBeHeld).forEach(event -> steps.add(new ModelStep.Release(event)));
        return steps;
    }
}
