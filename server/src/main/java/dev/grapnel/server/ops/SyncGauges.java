package dev.grapnel.server.ops;

import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.SyncPicture.Relay;
import dev.grapnel.sync.health.RelayFault;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.received.EventType;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/// How sync is doing, in numbers (sync 9.1). All of it follows from one picture, so nothing can drift from what it
/// describes, and a relay that is gone leaves nothing behind.
///
/// @param inboundBytes what relays have sent and nobody has decided about
record SyncGauges(SyncPicture picture, long inboundBytes, RelayLabels labels) {
    private static final String PREFIX = "ngit_sync_";

    /// How numbers of relays that share a name become one.
    private enum Shared {
        SUM,
        MAX;

        private double join(double a, double b) {
            return switch (this) {
                case SUM -> a + b;
                case MAX -> Math.max(a, b);
            };
        }
    }

    void write(SampleText text) {
        writeRelays(text);
        writeWork(text);
        writeSlots(text);
        writeTotals(text);
        writeReceived(text);
        writeIndex(text);
        writeRetained(text);
    }

    private void writeRelays(SampleText text) {
        state(
                text,
                "relay_connected",
                "State of the link: 0 disconnected to 5 disconnecting",
                relay -> relay.link().state().gauge());
        state(
                text,
                "relay_status",
                "How a relay fares: 1 healthy to 6 policy limited",
                relay -> relay.status().gauge());
        number(text, "relay_failures", "Failures in a row", Shared.MAX, Relay::failures);
        maybe(
                text,
                "coverage_lag_seconds",
                "Since when not everything is surely here",
                relay -> seconds(picture.lagSeconds(relay)));
    }

    private void writeWork(SampleText text) {
        number(
                text,
                "batches_in_flight",
                "Batches that are not confirmed",
                Shared.SUM,
                relay -> relay.link().batches());
        number(
                text,
                "batches_parked",
                "Batches that failed and are tried again",
                Shared.SUM,
                relay -> relay.link().parked());
        number(
                text,
                "oldest_batch_seconds",
                "Age of the oldest batch",
                Shared.MAX,
                relay -> relay.link().oldestBatch().orElse(0));
        number(
                text,
                "live_filters",
                "Filters that stream",
                Shared.SUM,
                relay -> relay.link().liveFilters());
        number(
                text,
                "live_items_sweep_only",
                "What is asked for only now and then",
                Shared.SUM,
                relay -> relay.link().sweptItems());
        number(
                text,
                "classes_given_up",
                "0 none to 4 all but one wide filter, 5 all",
                Shared.MAX,
                relay -> relay.link().givenUp());
        state(text, "filter_width", "Values of a filter", relay -> relay.link().width());
        state(text, "request_rate", "Requests in a second", relay -> relay.rate() / 1000.0);
        maybe(
                text,
                "sweep_oldest_pass_seconds",
                "Age of the oldest complete pass",
                relay -> seconds(relay.link().oldestPass()));
    }

    private void writeSlots(SampleText text) {
        var name = PREFIX + "ledger_slots";
        text.head(SampleText.Type.GAUGE, name, "Subscriptions that may be open, and what is");
        Map<String, ToDoubleFunction<Relay>> uses = new TreeMap<>(Map.of(
                "limit", relay -> relay.link().slots(),
                "live", relay -> relay.link().slotsLive(),
                "historic", relay -> relay.link().slotsHistoric(),
                "negentropy", relay -> relay.link().slotsNegentropy()));
        uses.forEach((use, value) -> join(Shared.SUM, relay -> OptionalDouble.of(value.applyAsDouble(relay)))
                .forEach((label, sum) -> text.sample(name, List.of("relay", label, "use", use), sum)));
    }

    private void writeTotals(SampleText text) {
        one(
                text,
                "relays_tracked_total",
                "Relays that are known",
                picture.relays().size());
        one(text, "relays_connected_total", "Relays that are connected", (double)
                count(relay -> relay.link().state().isUp()));
        one(text, "relays_dead_total", "Relays that failed for a day", (double)
                count(relay -> relay.status() == RelayStatus.DEAD));
        var name = PREFIX + "naughty_relays_total";
        text.head(SampleText.Type.GAUGE, name, "Relays that are left alone for their faults");
        for (var fault : RelayFault.values()) {
            text.sample(
                    name,
                    List.of("category", fault.category()),
                    picture.order().naughty().getOrDefault(fault, 0));
        }
    }

    private void writeReceived(SampleText text) {
        byType(
                text,
                "rejected_hot_cache_current",
                "Refused events that are kept whole",
                picture.intake().hot());
        byType(
                text,
                "rejected_cold_index_current",
                "Refused events that are remembered",
                picture.intake().cold());
        one(text, "inbound_bytes", "Memory of what relays have sent and nobody has decided about", (double)
                inboundBytes);
        one(text, "negentropy_bytes", "Memory of comparisons", (double) picture.vectorBytes());
    }

    private void byType(SampleText text, String name, String help, Map<EventType, Integer> counts) {
        text.head(SampleText.Type.GAUGE, PREFIX + name, help);
        for (var type : EventType.values()) {
            text.sample(PREFIX + name, List.of("event_type", SyncCounters.word(type)), counts.getOrDefault(type, 0));
        }
    }

    private void writeIndex(SampleText text) {
        var index = picture.index();
        var repos = PREFIX + "repos";
        text.head(SampleText.Type.GAUGE, repos, "Repositories that are followed");
        text.sample(repos, List.of("level", "full"), index.fullRepos());
        text.sample(repos, List.of("level", "state_only"), index.stateOnlyRepos());
        one(text, "root_events", "Issues, patches and pull requests that are followed", index.roots());
        one(text, "thread_members", "Answers to them that are followed", index.members());
        one(text, "pairs", "Repositories at relays", index.pairs());
        one(
                text,
                "dirty_pairs",
                "Those of which more is wanted than was looked at",
                sum(relay -> relay.link().dirtyPairs()));
    }

    private void writeRetained(SampleText text) {
        var name = PREFIX + "retained_state_current";
        text.head(SampleText.Type.GAUGE, name, "Sizes of tables");
        var sizes = new TreeMap<String, Integer>();
        sizes.put("pending_batches", sum(relay -> relay.link().batches()));
        sizes.put(
                "pending_subscriptions",
                sum(relay -> relay.link().slotsHistoric() + relay.link().slotsNegentropy()));
        sizes.put("auth_retries", sum(relay -> relay.link().authRetries()));
        sizes.put("queued_connection_attempts", picture.order().queued());
        sizes.put("thread_members", picture.index().members());
        sizes.put("member_prefixes", picture.prefixes());
        sizes.put("phantoms", sum(relay -> relay.link().phantoms()));
        sizes.forEach((table, size) -> text.sample(name, List.of("class", table), size));
    }

    // ---- numbers of each relay

    /// What makes no sense for several relays together.
    private void state(SampleText text, String name, String help, ToDoubleFunction<Relay> value) {
        var values = join(Shared.MAX, relay -> OptionalDouble.of(value.applyAsDouble(relay)));
        values.remove(RelayLabels.OTHER);
        write(text, name, help, values);
    }

    private void number(SampleText text, String name, String help, Shared shared, ToDoubleFunction<Relay> value) {
        write(text, name, help, join(shared, relay -> OptionalDouble.of(value.applyAsDouble(relay))));
    }

    /// What not every relay has.
    private void maybe(SampleText text, String name, String help, Function<Relay, OptionalDouble> value) {
        write(text, name, help, join(Shared.MAX, value));
    }

    private Map<String, Double> join(Shared shared, Function<Relay, OptionalDouble> value) {
        var values = new TreeMap<String, Double>();
        for (var relay : picture.relays()) {
            labels.find(relay.url())
                    .ifPresent(
                            label -> value.apply(relay).ifPresent(number -> values.merge(label, number, shared::join)));
        }
        return values;
    }

    private static void write(SampleText text, String name, String help, Map<String, Double> values) {
        text.head(SampleText.Type.GAUGE, PREFIX + name, help);
        values.forEach((label, value) -> text.sample(PREFIX + name, List.of("relay", label), value));
    }

    private static void one(SampleText text, String name, String help, double value) {
        text.head(SampleText.Type.GAUGE, PREFIX + name, help);
        text.sample(PREFIX + name, List.of(), value);
    }

    private int sum(ToIntFunction<Relay> value) {
        return picture.relays().stream().mapToInt(value).sum();
    }

    private long count(Predicate<Relay> test) {
        return picture.relays().stream().filter(test).count();
    }

    private static OptionalDouble seconds(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of((double) value.getAsLong()) : OptionalDouble.empty();
    }
}
