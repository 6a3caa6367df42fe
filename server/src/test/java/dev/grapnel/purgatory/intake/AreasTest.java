package dev.grapnel.purgatory.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.Upload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The picture of all areas equals what rows, pushes and the disk say, whatever comes in whatever order.
final class AreasTest {
    private static final UploadLimits LIMITS = new UploadLimits(1_000, 2_000, 500, 6, 4, 3, Duration.ofMinutes(30));
    private static final int STEPS = 3_000;

    private static EventId id(int number) {
        return new EventId(0, 0, 0, number);
    }

    private static RepositoryAddress repository(int number) {
        return new RepositoryAddress(StoreSamples.author(number), new Identifier("r" + number));
    }

    /// A slow and obvious version: everything is counted anew each time.
    private static final class Naive {
        final Map<String, One> areas = new TreeMap<>();

        static final class One {
            final RepositoryAddress repository;
            final String pusher;
            final Set<EventId> reserved;
            final Set<EventId> named = new HashSet<>();
            long bytes;
            boolean isOpen = true;

            One(RepositoryAddress repository, String pusher, Set<EventId> reserved) {
                this.repository = repository;
                this.pusher = pusher;
                this.reserved = reserved;
            }

            Set<EventId> claims() {
                var claims = new HashSet<>(named);
                if (isOpen) {
                    claims.addAll(reserved);
                }
                return claims;
            }
        }

        boolean hasRoom(RepositoryAddress repository, String pusher, Set<EventId> ids) {
            var all = new HashSet<>(ids);
            int here = ids.size();
            int his = ids.size();
            long bytes = 1;
            long hisBytes = 1;
            for (var area : areas.values()) {
                all.addAll(area.claims());
                here += area.repository.equals(repository) ? area.claims().size() : 0;
                his += area.pusher.equals(pusher) ? area.claims().size() : 0;
                bytes += area.bytes;
                hisBytes += area.pusher.equals(pusher) ? area.bytes : 0;
            }
            boolean isCounted = !pusher.isEmpty();
            return all.size() <= LIMITS.placeholders()
                    && here <= LIMITS.perRepository()
                    && bytes <= LIMITS.bytes()
                    && (!isCounted || (his <= LIMITS.perAddress() && hisBytes <= LIMITS.bytesPerAddress()));
        }

        long bytes() {
            return areas.values().stream().mapToLong(area -> area.bytes).sum();
        }

        long bytesOf(String pusher) {
            return areas.values().stream()
                    .filter(area -> area.pusher.equals(pusher))
                    .mapToLong(area -> area.bytes)
                    .sum();
        }
    }

    @Test
    void countsAreAlwaysWhatASlowCountSays() {
        for (long seed = 0; seed < 20; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        var random = new Random(seed);
        var areas = new Areas(LIMITS);
        var naive = new Naive();
        for (int step = 0; step < STEPS; step++) {
            var where = "seed " + seed + " step " + step;
            var names = new ArrayList<>(naive.areas.keySet());
            var name = names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> reserve("0-" + step, random, areas, naive, where);
                case 2 -> grow(name, random, areas, naive, where);
                case 3 -> confirm(name, areas, naive);
                case 4 -> leave(name, areas, naive);
                default -> {
                    for (var next = areas.pollDoomed(); next.isPresent(); next = areas.pollDoomed()) {
                        var gone = naive.areas.remove(next.get().name());
                        assertTrue(gone != null && gone.claims().isEmpty(), where);
                        areas.forget(next.get().name());
                    }
                }
            }
            assertEquals(naive.bytes(), areas.bytes(), where);
            assertEquals(naive.areas.size(), areas.count(), where);
            assertTrue(areas.bytes() <= LIMITS.bytes(), where); // row 197
        }
    }

    private static void reserve(String name, Random random, Areas areas, Naive naive, String where) {
        var ids = new HashSet<EventId>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            ids.add(id(random.nextInt(12)));
        }
        var repository = repository(random.nextInt(3));
        var pusher = List.of("", "a", "b").get(random.nextInt(3));
        boolean hasRoom = naive.hasRoom(repository, pusher, ids);
        assertEquals(
                hasRoom, areas.reserve(name, repository, pusher, ids, Set.of()).isEmpty(), where);
        if (hasRoom) {
            naive.areas.put(name, new Naive.One(repository, pusher, ids));
        }
    }

    private static void grow(String name, Random random, Areas areas, Naive naive, String where) {
        var area = naive.areas.get(name);
        if (area == null || !area.isOpen) {
            return;
        }
        int more = 1 + random.nextInt(300);
        boolean fits = naive.bytes() + more <= LIMITS.bytes()
                && (area.pusher.isEmpty() || naive.bytesOf(area.pusher) + more <= LIMITS.bytesPerAddress());
        assertEquals(fits, areas.grow(name, more).isEmpty(), where);
        if (fits) {
            area.bytes += more;
        }
    }

    /// Rows name it, then the push ends; or it ends without.
    private static void confirm(String name, Areas areas, Naive naive) {
        var area = naive.areas.get(name);
        if (area == null || !area.isOpen) {
            return;
        }
        if (area.bytes % 2 == 0) {
            area.named.addAll(area.reserved);
            apply(area.reserved, areas, naive);
        }
        areas.end(name, "failed");
        area.isOpen = false;
    }

    /// One of its rows goes.
    private static void leave(String name, Areas areas, Naive naive) {
        var area = naive.areas.get(name);
        if (area != null && !area.named.isEmpty()) {
            var gone = area.named.iterator().next();
            naive.areas.values().forEach(other -> other.named.remove(gone));
            apply(Set.of(gone), areas, naive);
        }
    }

    private static void apply(Set<EventId> ids, Areas areas, Naive naive) {
        var changes = new HashMap<Areas.RowName, List<Upload>>();
        for (var id : ids) {
            var uploads = new ArrayList<Upload>();
            naive.areas.forEach((name, area) -> {
                if (area.named.contains(id)) {
                    uploads.add(new Upload(
                            area.repository, Upload.Endpoint.REPOSITORY, new AreaName(name), false, area.pusher));
                }
            });
            changes.put(new Areas.RowName(id, true), uploads);
        }
        areas.apply(changes, Set.of(), Map.of());
    }
}
