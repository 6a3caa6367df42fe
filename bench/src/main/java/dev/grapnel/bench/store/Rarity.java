package dev.grapnel.bench.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.TableStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Two conditions, of which one has ever more events: the cost must follow the rarer one.
final class Rarity {
    private static final SecretKey KEY = SecretKey.parse("00".repeat(31) + "05").require();
    private static final int RARE = 100;
    private static final int QUESTIONS = 2_000;

    private Rarity() {}

    static void run(TableStore store) {
        StoreBench.print(
                "%n## Two conditions: 100 events have `#t` rare, ever more have `#t` common; both are asked for%n");
        StoreBench.print("| events with the common value | results | p50 µs | p99 µs |%n|--:|--:|--:|--:|");
        int common = 0;
        for (int size : new int[] {100, 1_000, 10_000, 50_000}) {
            fill(store, common, size);
            common = size;
            measure(store, size);
        }
    }

    /// Every hundredth part of the common ones is rare as well, up to the number of rare ones.
    private static void fill(TableStore store, int from, int to) {
        var batch = new ArrayList<Event>();
        for (int i = from; i < to; i++) {
            var tags = new ArrayList<List<String>>();
            tags.add(List.of("l", "common"));
            if (i < RARE) {
                tags.add(List.of("t", "rare"));
            }
            batch.add(new EventDraft(1_600_000_000L + i * 7919L % 1_000_000, 1_984, tags, "")
                    .sign(KEY, Bytes.wrap(new byte[32])));
            if (batch.size() == 1_000 || i == to - 1) {
                var events = List.copyOf(batch);
                store.write(Urgency.WAITING, 0, transaction -> {
                            events.forEach(transaction::save);
                            return true;
                        })
                        .join();
                batch.clear();
            }
        }
    }

    private static void measure(TableStore store, int size) {
        var filter = Filter.builder()
                .tag('l', List.of("common"))
                .tag('t', List.of("rare"))
                .build();
        var times = new long[QUESTIONS];
        int results = 0;
        for (int i = -QUESTIONS / 2; i < QUESTIONS; i++) {
            long begin = System.nanoTime();
            results = StoreBench.answer(store, filter);
            if (i >= 0) {
                times[i] = System.nanoTime() - begin;
            }
        }
        Arrays.sort(times);
        StoreBench.print(
                "| %,d | %,d | %,.0f | %,.0f |",
                size, results, times[QUESTIONS / 2] / 1e3, times[QUESTIONS * 99 / 100] / 1e3);
    }
}
