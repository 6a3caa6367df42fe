package dev.grapnel.bench.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.engine.TableStore;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Fills a store without asking any rule.
///
/// @param served repositories that are served and hosted, from number 0 on
/// @param announcements held ones, of the numbers after those
/// @param named how many maintainers each held announcement names
record Population(int served, int announcements, int states, int proposals, int expired, int named) {
    private static final int BATCH = 1_000;
    private static final Duration LONG = Duration.ofDays(30);

    void fill(TableStore store) {
        var now = Instant.now();
        var end = now.plus(LONG);
        write(store, served, i -> Scene.announcement(i, Scene.BEGIN, List.of()), (event, transaction) -> {
            var repository =
                    Integer.parseInt(event.tags().findValue("d").orElseThrow().substring("repository-".length()));
            transaction.put(Standing.hosted(Scene.address(repository), now));
            transaction.save(event);
        });
        write(
                store,
                announcements,
                i -> Scene.announcement(
                        served + i,
                        Scene.BEGIN,
                        IntStream.range(0, named)
                                .mapToObj(n -> (i + n + 1) % Scene.PEOPLE)
                                .toList()),
                (event, transaction) -> transaction.hold(
                        new HeldAnnouncement(event, now, end, Source.DIRECT, HeldAnnouncement.Phase.ACTIVE)));
        write(
                store,
                states,
                i -> {
                    int repository = served + i % Math.max(1, announcements);
                    return Scene.state(Scene.ownerOf(repository), repository, Scene.BEGIN + i);
                },
                (event, transaction) -> transaction.hold(new HeldState(event, now, end, Source.DIRECT)));
        write(
                store,
                proposals,
                i -> Scene.pullRequest(i % Scene.PEOPLE, served + i % Math.max(1, announcements), Scene.BEGIN + i),
                (event, transaction) -> transaction.hold(new HeldProposal(event, now, end, Source.DIRECT, List.of())));
        write(
                store,
                expired,
                i -> Scene.state(i % Scene.PEOPLE, i, Scene.BEGIN + 500_000 + i),
                (event, transaction) -> transaction.put(
                        new ExpiredEvent(event.id(), Kinds.STATE, now, now, 0, false, Optional.of(dormant(event)))));
    }

    private static Dormant dormant(Event state) {
        var missing = state.tags().stream()
                .filter(tag -> tag.name().startsWith("refs/"))
                .map(tag -> Oid.parse(tag.element(1)).require())
                .toList();
        return new Dormant(
                List.of(new Identifier(state.tags().findValue("d").orElseThrow())),
                state.author(),
                state.createdAt(),
                missing,
                List.of("https://one.example.org/repository.git", "https://two.example.org/repository.git"),
                Optional.empty());
    }

    private static void write(
            TableStore store, int count, IntFunction<Event> maker, BiConsumer<Event, StoreTransaction> how) {
        for (int from = 0; from < count; from += BATCH) {
            var events = IntStream.range(from, Math.min(count, from + BATCH))
                    .parallel()
                    .mapToObj(maker)
                    .toList();
            store.write(Urgency.WAITING, 0, transaction -> {
                        events.forEach(event -> how.accept(event, transaction));
                        return true;
                    })
                    .join();
        }
    }
}
