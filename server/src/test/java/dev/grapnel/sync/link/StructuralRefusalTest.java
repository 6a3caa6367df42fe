package dev.grapnel.sync.link;

import static dev.grapnel.sync.link.OneRelay.repo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.sync.health.Learned;
import dev.grapnel.sync.health.Learned.Trait;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.link.FarRelay.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What relays refuse by their limits changes how they are asked, and is no reason to wait (sync R4.20, R4.21; test
/// 86).
/// What their words mean is shown where they are read.
final class StructuralRefusalTest {
    /// By which message something is refused.
    enum Way {
        CLOSED_LIVE,
        CLOSED_HISTORIC,
        NOTICE,
        NEG_ERR
    }

    /// A text, and what follows from it.
    ///
    /// @param learned what is remembered, if anything
    /// @param cools whether nothing is asked for a while
    record Words(Way way, String text, Map<Trait, Long> learned, boolean cools) {
        @Override
        public String toString() {
            return way + " " + text;
        }
    }

    static Stream<Words> words() {
        var all = new ArrayList<Words>();
        for (var prefix : List.of("", "rate-limited: ")) {
            for (var way : Way.values()) {
                all.add(new Words(
                        way,
                        prefix + "active subscriptions exceed max size 500000 bytes",
                        Map.of(Trait.OPEN_BYTES, 500_000L),
                        false));
                all.add(new Words(way, prefix + "too many filters", Map.of(Trait.FILTERS, 5L), false));
                all.add(new Words(way, prefix + "filter item too large", Map.of(Trait.WIDTH, 50L), false));
                all.add(new Words(way, prefix + "too many concurrent REQs", Map.of(Trait.SUBSCRIPTIONS, -1L), false));
                if (way != Way.NOTICE) {
                    all.add(new Words(way, prefix + "too many negentropy items", Map.of(Trait.SESSIONS, 1L), false));
                    all.add(new Words(way, prefix + "too many NEG sessions", Map.of(Trait.SESSIONS, 1L), false));
                }
                boolean isRate = !prefix.isEmpty();
                all.add(new Words(
                        way,
                        prefix + "invalid: limit must be positive",
                        isRate ? Map.of() : Map.of(Trait.NO_LIMIT_ZERO, 1L),
                        isRate));
                all.add(new Words(way, prefix + "slow down", Map.of(), true));
                all.add(new Words(way, prefix + "auth-required: who are you", Map.of(), false));
                if (way != Way.NEG_ERR || isRate) {
                    all.add(new Words(way, prefix + "error: no luck", Map.of(), isRate));
                    all.add(new Words(way, prefix + "unsupported", Map.of(), isRate));
                }
                all.add(new Words(way, prefix + "restricted: members", Map.of(), isRate));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("words")
    void eachTextHasItsConsequence(Words words) {
        var world = new OneRelay().announceMany(60).root(10, 1);
        if (words.way() == Way.NEG_ERR) {
            world.comparing();
        }
        sayOnce(world.relay, words);
        world.start();
        world.seconds(3);
        var picture = world.picture();
        assertEquals(words.cools() ? RelayStatus.RATE_LIMITED : RelayStatus.HEALTHY, picture.status());
        var learned = new TreeMap<>(picture.learned());
        learned.remove(Trait.RATE);
        if (!words.learned().equals(Map.of(Trait.SUBSCRIPTIONS, -1L))) {
            var values = new TreeMap<Trait, Long>();
            learned.forEach((trait, entry) -> values.put(trait, entry.value()));
            values.remove(
                    words.text().contains("invalid") || words.text().contains("unsupported")
                            ? Trait.FILTERS
                            : Trait.RATE);
            assertEquals(words.learned(), values);
        } else {
            assertEquals(List.of(Trait.SUBSCRIPTIONS), List.copyOf(learned.keySet()));
        }
        assertEquals(1, world.relay.opened());
        world.run(Duration.ofMinutes(20));
        assertEquals(1, world.relay.opened(), "and goes on");
        assertEquals(0, world.picture().failures());
        var letters = new TreeSet<String>();
        world.relay.asked(Asked::isHistoric).forEach(one -> letters.add(one.letters()));
        boolean isRefused = words.way() == Way.NEG_ERR
                && (words.text().startsWith("restricted") || words.text().contains("auth-required")); // the first one
        assertEquals(
                new TreeSet<>(
                        isRefused ? List.of("d", "a", "A", "q", "e", "E") : List.of(" ", "d", "a", "A", "q", "e", "E")),
                letters);
    }

    /// Refuses the first request of that kind.
    private static void sayOnce(FarRelay relay, Words words) {
        var isSaid = new AtomicBoolean();
        relay.manner(one -> {
            boolean isMeant = switch (words.way()) {
                case CLOSED_LIVE, NOTICE -> one.role() == 'l';
                case CLOSED_HISTORIC -> one.isHistoric() && one.values('a').contains(repo(1).toString());
                case NEG_ERR -> false;
            };
            if (!isMeant || isSaid.getAndSet(true)) {
                relay.serve(one);
            } else if (words.way() == Way.NOTICE) {
                relay.connection().open.remove(one.id());
                relay.notice(words.text());
            } else {
                relay.close(one.id(), words.text());
            }
        });
        relay.comparing(id -> relay.refuse(id, isSaid.getAndSet(true) ? "error: not now" : words.text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"too many negentropy items", "rate-limited: too many negentropy items"})
    void aNoticeThatAComparisonIsTooLargeCutsItByTime(String text) {
        var world = new OneRelay().comparing().announce(1);
        world.relay.compares();
        var compare = world.relay.comparing();
        var isSaid = new AtomicBoolean();
        world.relay.comparing(id -> {
            if (isSaid.getAndSet(true)) {
                compare.accept(id);
            } else {
                world.relay.notice(text);
            }
        });
        world.settled();
        assertEquals(1, learned(world, Trait.SESSIONS));
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
        assertEquals(LinkState.CONNECTED, world.state());
        var parts = world.relay.frames.stream()
                .map(FarRelay.Frame::message)
                .filter(ClientMessage.NegOpen.class::isInstance)
                .map(message -> ((ClientMessage.NegOpen) message).filter())
                .filter(filter -> filter.tags().isEmpty())
                .toList();
        assertEquals(3, parts.size());
        assertEquals(
                parts.get(2).until().orElseThrow() + 1, parts.get(1).since().orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"error: too many concurrent REQs", "rate-limited: too many concurrent REQs"})
    void oneSubscriptionLessThanWereOpenIsUsedAndTheRequestSentAgain(String text) {
        var world = new OneRelay().announceMany(60).root(10, 1);
        var open = new AtomicInteger();
        world.relay.manner(one -> {
            boolean isMeant = one.isHistoric() && one.letters().equals("a");
            if (isMeant && open.get() == 0) {
                open.set(world.relay.connection().open.size());
                world.relay.close(one.id(), text);
            } else {
                world.relay.serve(one);
            }
        });
        world.settled();
        assertTrue(open.get() > 4, open::toString);
        assertEquals(open.get() - 1, learned(world, Trait.SUBSCRIPTIONS));
        var asked = world.relay.asked(one -> one.isHistoric() && one.letters().equals("a"));
        assertEquals(5, asked.get(1).second() - asked.get(0).second(), 0.01);
        assertEquals(asked.get(0).filters(), asked.get(1).filters());
    }

    @Test
    void threeSubscriptionsAreUsedHoweverFewWereOpen() {
        var world = new OneRelay().announce(1).root(10, 1);
        world.relay.closes(
                one -> one.role() == 'l' && world.relay.opened() == 1, "error: too many concurrent subscriptions");
        world.settled();
        assertEquals(3, learned(world, Trait.SUBSCRIPTIONS));
        assertTrue(world.relay.liveIds().size() == 1, world.relay.liveIds()::toString);
    }

    // ---- limits

    /// The values of each letter that are streamed.
    private static Map<String, Integer> streamed(OneRelay world) {
        var values = new TreeMap<String, TreeSet<String>>();
        for (var filter : world.relay.liveFilters()) {
            filter.tags()
                    .forEach(tag -> values.computeIfAbsent("" + tag.letter(), _ -> new TreeSet<>())
                            .addAll(tag.values().toList()));
        }
        var counts = new TreeMap<String, Integer>();
        values.forEach((letter, all) -> counts.put(letter, all.size()));
        return counts;
    }

    private static long learned(OneRelay world, Trait trait) {
        return world.picture()
                .learned()
                .getOrDefault(trait, new Learned.Entry(-1, OneRelay.BEGIN))
                .value();
    }

    private static OneRelay many() {
        return new OneRelay().announceMany(250).roots(1_000, 450, 1);
    }

    @Test
    void aRelayThatTakesFewFiltersGetsSmallerGroupsWithTheSameCoverage() {
        var expected = streamed(many().settled());
        var world = many();
        world.relay.closes(one -> one.filters().size() > 5, "error: too many filters");
        world.settled();
        assertEquals(expected, streamed(world));
        assertEquals(5, learned(world, Trait.FILTERS), "as many as it takes, and no fewer");
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
        world.relay.forget();
        world.relay.drop();
        world.seconds(30);
        assertTrue(world.relay.asked().stream().allMatch(one -> one.filters().size() <= 5));
    }

    private static void closeOne(FarRelay relay) {
        relay.close(new SubscriptionId(relay.liveIds().getLast()), "error: too many filters");
    }

    /// R4.5: what it says of itself is asked for at once, once, and heeded on the same connection.
    @Test
    void aRelayThatRefusesItsLimitsIsAskedForThemOnceMore() {
        var world = new OneRelay().announceMany(60).settled();
        assertEquals(1, world.relay.informationAsked);
        assertEquals(20, world.picture().link().slots());
        world.relay.subscriptionsMax(9);
        closeOne(world.relay);
        world.seconds(1);
        assertEquals(2, world.relay.informationAsked);
        assertEquals(9, world.picture().link().slots());
        assertEquals(1, world.relay.opened());
        world.run(Duration.ofMinutes(10));
        assertTrue(world.relay.connection().open.size() <= 7, "two slots stay unused");
        assertEquals(60, streamed(world).get("a"));

        closeOne(world.relay);
        world.seconds(10);
        world.relay.drop();
        world.run(Duration.ofHours(1));
        assertEquals(2, world.relay.opened());
        assertEquals(2, world.relay.informationAsked, "not each time it refuses something");
    }

    @Test
    void aRelayThatTakesFewValuesGetsNarrowerFiltersWithTheSameCoverage() {
        var expected = streamed(many().settled());
        var world = many();
        world.relay.closes(
                one -> one.filters().stream()
                        .anyMatch(filter -> filter.tags().stream()
                                .anyMatch(tag -> tag.values().toList().size() > 60)),
                "error: too many tag values");
        world.settled();
        world.run(Duration.ofMinutes(2));
        assertEquals(expected, streamed(world));
        assertEquals(50, learned(world, Trait.WIDTH), "as many as it takes, and no fewer");
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void narrowFiltersAreAlsoFoundWhenOnlyRequestsAreRefused() {
        var world = many();
        world.relay.closes(
                one -> one.isHistoric()
                        && one.filters().stream()
                                .anyMatch(filter -> filter.tags().stream()
                                        .anyMatch(tag -> tag.values().toList().size() > 60)),
                "error: too many tag values");
        world.settled();
        world.run(Duration.ofMinutes(2));
        assertEquals(50, learned(world, Trait.WIDTH));
        assertEquals(LinkState.CONNECTED, world.state());
        var roots = new TreeSet<String>();
        world.relay.asked(one -> one.isHistoric() && one.letters().equals("E")).stream()
                .filter(one -> one.values('E').size() <= 60)
                .forEach(one -> roots.addAll(one.values('E')));
        assertEquals(450, roots.size());
    }

    @Test
    void aRelayThatTakesFewSubscriptionsGetsFewer() {
        var world = many();
        world.relay.manner(one -> {
            if (world.relay.connection().open.size() > 6) {
                world.relay.close(one.id(), "error: too many concurrent REQs");
            } else {
                world.relay.serve(one);
            }
        });
        world.settled();
        world.run(Duration.ofMinutes(5));
        assertTrue(learned(world, Trait.SUBSCRIPTIONS) <= 7, () -> "" + learned(world, Trait.SUBSCRIPTIONS));
        assertTrue(learned(world, Trait.SUBSCRIPTIONS) >= 5, () -> "" + learned(world, Trait.SUBSCRIPTIONS));
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
        assertEquals(LinkState.CONNECTED, world.state());
    }

    @Test
    void wordsForWhatIsNotOpenMeanNothing() {
        var world = many().settled();
        world.relay.say(new RelayMessage.Closed(new SubscriptionId("h99"), "rate-limited: too many filters"));
        world.relay.refuse(new SubscriptionId("n99"), "rate-limited: slow down");
        world.seconds(10);
        assertEquals(Map.of(), world.picture().learned());
        assertEquals(RelayStatus.HEALTHY, world.picture().status());
    }
}
