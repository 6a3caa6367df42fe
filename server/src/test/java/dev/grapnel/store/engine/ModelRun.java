package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.RandomEvents.namesOf;
import static dev.grapnel.store.engine.StoreFixture.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Gate;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// A store and its model on the same way: random steps, and after each they must have said and must show the
/// same.
final class ModelRun {
    private static final int STEPS = 90;
    private static final int EVENTS = 40;

    private final Random random;
    private final RandomEvents pool;
    private final StoreFixture fixture;
    private final NaiveStore model;
    private final ModelReads reads;
    private final ModelTail tail;
    private String step = "opening";

    ModelRun(long seed, StoreFixture fixture) {
        this.random = new Random(seed);
        this.pool = new RandomEvents(random);
        this.fixture = fixture;
        fixture.reopen(rules());
        this.model = new NaiveStore(fixture.rules(), NOW * 1_000);
        this.reads = new ModelReads(random, pool, fixture, model);
        this.tail = new ModelTail(random, fixture, model);
        pool.fill(EVENTS);
    }

    private StoreRules rules() {
        var rules = fixture.rules();
        boolean tight = pool.chance(30);
        return new StoreRules(
                rules.services(),
                pool.chance(85),
                pool.chance(10) ? 2 : rules.targetsMax(),
                rules.gateTime(),
                tight ? 5 : rules.gateTargetsMax(),
                tight ? 3 : rules.gateTargetsPerAuthor(),
                tight ? 2_000 : rules.gateBytesMax(),
                rules.retention());
    }

    void run() throws InterruptedException {
        for (int i = 0; i < STEPS; i++) {
            try {
                takeStep();
                step = i + ", after " + step;
                compare();
                if (i % 4 == 0) {
                    reads.compare(this::randomStep, this::apply);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("step " + step, e);
            }
        }
        fixture.assertSound();
        assertEquals(List.of(), fixture.problems);
    }

    private void takeStep() throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 55) {
            apply(List.of(randomStep()));
        } else if (choice < 68) {
            apply(randomSteps(2 + random.nextInt(4)));
        } else if (choice < 78) {
            applyPipelined();
        } else if (choice < 88) {
            advance();
        } else if (choice < 95) {
            step = "sweep";
            assertEquals(model.sweep(), fixture.store().sweep().join());
        } else {
            step = "reopen";
            fixture.reopen();
            tail.reopen();
        }
    }

    private void advance() {
        long millis = random.nextInt(20) == 0 ? Duration.ofDays(16).toMillis() : random.nextInt(3_500) - 500;
        step = "clock " + millis;
        fixture.time.advance(Duration.ofMillis(millis));
        model.advance(millis);
    }

    private List<ModelStep> randomSteps(int count) {
        var steps = new ArrayList<ModelStep>();
        for (int i = 0; i < count; i++) {
            steps.add(randomStep());
        }
        return steps;
    }

    private ModelStep randomStep() {
        int choice = random.nextInt(100);
        var event = pool.any();
        if (choice < 16) {
            return model.held().isEmpty() ? new ModelStep.Release(event) : new ModelStep.Release(anyHeld());
        }
        if (choice < 19) {
            return new ModelStep.Drop(
                    pool.chance(80) && !model.held().isEmpty() ? anyHeld().id() : event.id());
        }
        if (choice < 21) {
            return new ModelStep.Withdraw(event.id());
        }
        if (choice < 22) {
            return new ModelStep.BanAuthor(event.author());
        }
        if (choice < 24) {
            return new ModelStep.BanEvent(event.id());
        }
        if (choice < 29) {
            return new ModelStep.Unban(event.author(), pool.any().id());
        }
        return RandomEvents.mayBeHeld(event) && pool.chance(60) ? new ModelStep.Hold(event) : new ModelStep.Save(event);
    }

    private Event anyHeld() {
        return pool.oneOf(model.held());
    }

    /// Several steps in one transaction.
    private void apply(List<ModelStep> steps) {
        step = steps.toString();
        var expected = steps.stream().map(one -> one.on(model)).toList();
        assertEquals(
                expected,
                fixture.write(transaction ->
                        steps.stream().map(one -> one.on(transaction)).toList()));
    }

    private void apply(ModelStep one) {
        apply(List.of(one));
    }

    /// Several transactions that wait together, so that they share one commit; one of them may fail.
    private void applyPipelined() throws InterruptedException {
        var transactions = new ArrayList<List<ModelStep>>();
        for (int i = 0; i < 2 + random.nextInt(4); i++) {
            transactions.add(randomSteps(1 + random.nextInt(2)));
        }
        int failing = pool.chance(30) ? random.nextInt(transactions.size()) : -1;
        step = "together, failing " + failing + ": " + transactions;
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var first = block(begun, go);
        begun.await();
        var outcomes = new ArrayList<CompletableFuture<List<String>>>();
        for (int i = 0; i < transactions.size(); i++) {
            outcomes.add(give(transactions.get(i), i == failing));
        }
        go.countDown();
        first.join();
        for (int i = 0; i < transactions.size(); i++) {
            if (i == failing) {
                assertInstanceOf(
                        IllegalStateException.class,
                        outcomes.get(i).handle((_, problem) -> problem).join());
            } else {
                assertEquals(
                        transactions.get(i).stream().map(one -> one.on(model)).toList(),
                        outcomes.get(i).join());
            }
        }
    }

    private CompletableFuture<Boolean> block(CountDownLatch begun, CountDownLatch go) {
        return fixture.store().write(Urgency.WAITING, 0, _ -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return true;
        });
    }

    private CompletableFuture<List<String>> give(List<ModelStep> steps, boolean fails) {
        return fixture.store().write(Urgency.WAITING, 0, transaction -> {
            var answers = steps.stream().map(one -> one.on(transaction)).toList();
            if (fails) {
                throw new IllegalStateException("on purpose");
            }
            return answers;
        });
    }

    private void compare() throws InterruptedException {
        assertEquals(namesOf(model.visible()), namesOf(fixture.all()));
        assertEquals(sortedNames(model.held()), rows(List.copyOf(HeldTables.ALL)));
        assertEquals(sortedNames(model.gates()), rows(List.of(Table.GATES)));
        tail.compare();
    }

    private static List<String> sortedNames(List<Event> events) {
        return namesOf(events).stream().sorted().toList();
    }

    private List<String> rows(List<Table> tables) {
        return fixture.read(view -> {
            var events = new ArrayList<Event>();
            for (var table : tables) {
                view.forEachRow(table, Bytes.EMPTY, row -> {
                    switch (row) {
                        case Held held -> events.add(held.event());
                        case Gate gate -> events.add(gate.event());
                        default -> throw new IllegalStateException("a strange row: " + row);
                    }
                });
            }
            return sortedNames(events);
        });
    }
}
