package dev.grapnel.purgatory.intake;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.StagingOutcome;
import dev.grapnel.purgatory.push.Reasons;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.store.row.Upload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// All staging areas in memory: who names them, how large they are, whose they are (P-246).
///
/// An area is counted from its reservation until its directory is deleted. It is needed as long as a durable
/// row names it or a push is still filling it. Used by many threads; nothing waits inside.
final class Areas {
    private final UploadLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Area> areas = new HashMap<>();
    private final Map<RowName, Set<String>> byRow = new HashMap<>();
    private final Map<Identifier, Set<String>> byIdentifier = new TreeMap<>();
    private final Map<EventId, Set<String>> lingering = new HashMap<>();
    private final Map<EventId, Integer> placeholders = new HashMap<>();
    private final Map<RepositoryAddress, Integer> perRepository = new HashMap<>();
    private final Map<String, Integer> perAddress = new HashMap<>();
    private final Map<String, Long> bytesPerAddress = new HashMap<>();
    private final Queue<Doomed> doomed = new ArrayDeque<>();
    private long bytes;

    Areas(UploadLimits limits) {
        this.limits = limits;
    }

    /// Which row names areas.
    ///
    /// @param isPlaceholder whether the event is not here
    record RowName(EventId id, boolean isPlaceholder) {}

    /// An area that nobody needs any more.
    ///
    /// @param id an event it was pushed for
    /// @param cause in one word
    record Doomed(String name, EventId id, RepositoryAddress repository, long bytes, String cause) {}

    private static final class Area {
        final String name;
        final RepositoryAddress repository;
        final String pusher;
        final EventId first;
        final Set<RowName> named = new HashSet<>();
        final Set<EventId> claimed = new TreeSet<>();
        long bytes;
        boolean isOpen;
        boolean isComplete;
        boolean isScoped;
        boolean isDoomed;

        Area(String name, RepositoryAddress repository, String pusher, EventId first) {
            this.name = name;
            this.repository = repository;
            this.pusher = pusher;
            this.first = first;
        }
    }

    /// Makes room for a push.
    ///
    /// @param pusher whose bytes they are; empty for those who have no limits of their own
    /// @param unknown events nobody has seen
    /// @param held events that wait
    /// @return why there is none
    Optional<String> reserve(
            String name, RepositoryAddress repository, String pusher, Set<EventId> unknown, Set<EventId> held) {
        return locked(() -> {
            var refusal = findFull(repository, pusher, unknown).or(() -> findExcess(pusher, 1, unknown.isEmpty()));
            if (refusal.isEmpty()) {
                var first = unknown.isEmpty()
                        ? held.iterator().next()
                        : unknown.iterator().next();
                var area = new Area(name, repository, pusher, first);
                area.isOpen = true;
                areas.put(name, area);
                unknown.forEach(id -> claim(area, id));
            }
            return refusal;
        });
    }

    private Optional<String> findFull(RepositoryAddress repository, String pusher, Set<EventId> unknown) {
        long fresh =
                unknown.stream().filter(id -> !placeholders.containsKey(id)).count();
        boolean isFull = placeholders.size() + fresh > limits.placeholders()
                || perRepository.getOrDefault(repository, 0) + unknown.size() > limits.perRepository()
                || (!pusher.isEmpty() && perAddress.getOrDefault(pusher, 0) + unknown.size() > limits.perAddress());
        return !unknown.isEmpty() && isFull ? Optional.of(Reasons.TOO_MANY_UNMATCHED) : Optional.empty();
    }

    /// @param isSigned whether the push belongs to signed events only, which no limit of nothing forbids
    private Optional<String> findExcess(String pusher, long more, boolean isSigned) {
        boolean isLimited = !pusher.isEmpty() && !(isSigned && limits.bytesPerAddress() == 0);
        if (isLimited && bytesPerAddress.getOrDefault(pusher, 0L) + more > limits.bytesPerAddress()) {
            return Optional.of(Reasons.addressExceeds(limits.bytesPerAddress()));
        }
        boolean isTooMuch = bytes + more > limits.bytes() && !(isSigned && limits.bytes() == 0);
        return isTooMuch ? Optional.of(Reasons.totalExceeds(limits.bytes())) : Optional.empty();
    }

    /// More came, or less lies there than came.
    ///
    /// @return why that is too much
    Optional<String> grow(String name, long more) {
        return locked(() -> {
            var area = require(name);
            var refusal = more > 0 ? findExcess(area.pusher, more, area.claimed.isEmpty()) : Optional.<String>empty();
            if (refusal.isEmpty()) {
                count(area, more);
            }
            return refusal;
        });
    }

    /// What an area has turned out to take on disk.
    ///
    /// @return why that is too much
    Optional<String> measure(String name, long actual) {
        return grow(name, actual - locked(() -> require(name).bytes));
    }

    private Area require(String name) {
        return Objects.requireNonNull(areas.get(name), "no such area");
    }

    private void count(Area area, long more) {
        area.bytes += more;
        bytes += more;
        if (!area.pusher.isEmpty()) {
            bytesPerAddress.merge(area.pusher, more, Areas::sumOrNone);
        }
    }

    private static @Nullable Long sumOrNone(Long a, Long b) {
        return a + b == 0 ? null : Long.valueOf(a + b);
    }

    /// The push that filled an area has ended.
    void end(String name, String cause) {
        locked(() -> {
            var area = require(name);
            area.isOpen = false;
            area.claimed.stream()
                    .filter(id -> !area.named.contains(new RowName(id, true)))
                    .toList()
                    .forEach(id -> disclaim(area, id));
            doomIfUnneeded(area, cause);
            return true;
        });
    }

    // ---- what rows say

    /// Rows have changed, durably.
    ///
    /// @param changes what each row names now
    /// @param arrived events that are held from now on
    /// @param causes why rows are gone, as far as somebody said so
    void apply(Map<RowName, List<Upload>> changes, Set<EventId> arrived, Map<EventId, String> causes) {
        locked(() -> {
            var left = new HashMap<Area, List<RowName>>();
            changes.forEach((row, uploads) -> apply(row, uploads, left));
            left.forEach((area, rows) -> settle(area, rows, arrived, causes));
            return true;
        });
    }

    private void apply(RowName row, List<Upload> uploads, Map<Area, List<RowName>> left) {
        var names = new HashSet<String>();
        for (var upload : uploads) {
            var area = areas.computeIfAbsent(
                    upload.area().text(), name -> new Area(name, upload.repository(), upload.pusher(), row.id()));
            names.add(area.name);
            area.named.add(row);
            area.isComplete |= !upload.receiving();
            area.isScoped = upload.endpoint() == Upload.Endpoint.CONTRIBUTOR;
            if (row.isPlaceholder()) {
                claim(area, row.id());
            }
            byIdentifier
                    .computeIfAbsent(area.repository.identifier(), _ -> new TreeSet<>())
                    .add(area.name);
        }
        var before = names.isEmpty() ? byRow.remove(row) : byRow.put(row, names);
        for (var name : before == null ? Set.<String>of() : before) {
            if (!names.contains(name)) {
                var area = require(name);
                area.named.remove(row);
                left.computeIfAbsent(area, _ -> new ArrayList<>()).add(row);
            }
        }
    }

    private void settle(Area area, List<RowName> rows, Set<EventId> arrived, Map<EventId, String> causes) {
        var placeholdersGone =
                rows.stream().filter(RowName::isPlaceholder).map(RowName::id).toList();
        if (!area.isOpen) {
            placeholdersGone.forEach(id -> disclaim(area, id));
        }
        var judged = placeholdersGone.stream()
                .filter(id -> arrived.contains(id) && !area.named.contains(new RowName(id, false)))
                .findFirst();
        if (judged.isPresent() && area.isComplete && !area.isScoped) {
            linger(area, judged.get());
        } else {
            var cause = rows.stream().map(row -> causes.get(row.id())).filter(Objects::nonNull);
            doomIfUnneeded(area, cause.findFirst().orElse("dropped"));
        }
    }

    /// An event that brings another commit than was pushed for it is judged once by what was pushed (R6), unless
    /// that came through the contributors' door of somebody else (R7).
    private void linger(Area area, EventId id) {
        lingering.computeIfAbsent(id, _ -> new TreeSet<>()).add(area.name);
        if (area.named.isEmpty()) {
            unlist(area);
        }
    }

    private void doomIfUnneeded(Area area, String cause) {
        if (area.named.isEmpty() && !area.isOpen && !area.isDoomed) {
            area.isDoomed = true;
            unlist(area);
            doomed.add(new Doomed(area.name, area.first, area.repository, area.bytes, cause));
        }
    }

    private void unlist(Area area) {
        var identifier = area.repository.identifier();
        var others = byIdentifier.get(identifier);
        if (others != null && others.remove(area.name) && others.isEmpty()) {
            byIdentifier.remove(identifier);
        }
    }

    private void claim(Area area, EventId id) {
        if (area.claimed.add(id)) {
            placeholders.merge(id, 1, Areas::sumOrNone);
            perRepository.merge(area.repository, 1, Areas::sumOrNone);
            if (!area.pusher.isEmpty()) {
                perAddress.merge(area.pusher, 1, Areas::sumOrNone);
            }
        }
    }

    private void disclaim(Area area, EventId id) {
        if (area.claimed.remove(id)) {
            placeholders.merge(id, -1, Areas::sumOrNone);
            perRepository.merge(area.repository, -1, Areas::sumOrNone);
            if (!area.pusher.isEmpty()) {
                perAddress.merge(area.pusher, -1, Areas::sumOrNone);
            }
        }
    }

    private static @Nullable Integer sumOrNone(Integer a, Integer b) {
        return a + b == 0 ? null : Integer.valueOf(a + b);
    }

    // ---- what others ask

    /// Complete areas of an identifier.
    List<StagedObjects.Area> complete(Identifier identifier) {
        return locked(() -> byIdentifier.getOrDefault(identifier, Set.of()).stream()
                .map(this::require)
                .filter(area -> area.isComplete)
                .map(area -> new StagedObjects.Area(area.name, area.repository, area.first))
                .toList());
    }

    /// Events whose rows name areas of a repository.
    List<RowName> rowsOf(RepositoryAddress repository) {
        return locked(() -> byIdentifier.getOrDefault(repository.identifier(), Set.of()).stream()
                .map(this::require)
                .filter(area -> area.repository.equals(repository))
                .flatMap(area -> area.named.stream())
                .distinct()
                .toList());
    }

    /// What was pushed for an event that brought another commit, until it is judged.
    List<String> lingering(EventId id) {
        return locked(() -> List.copyOf(lingering.getOrDefault(id, Set.of())));
    }

    /// It is judged.
    void judged(EventId id) {
        locked(() -> {
            var names = lingering.remove(id);
            if (names != null) {
                names.stream()
                        .filter(areas::containsKey)
                        .forEach(name -> doomIfUnneeded(require(name), StagingOutcome.MISMATCH.word()));
            }
            return true;
        });
    }

    /// The next one to be deleted.
    Optional<Doomed> pollDoomed() {
        return locked(() -> Optional.ofNullable(doomed.poll()));
    }

    boolean hasDoomed() {
        return locked(() -> !doomed.isEmpty());
    }

    /// Its directory is gone, and its bytes are free.
    void forget(String name) {
        locked(() -> {
            var area = areas.remove(name);
            if (area != null) {
                List.copyOf(area.claimed).forEach(id -> disclaim(area, id));
                count(area, -area.bytes);
            }
            return true;
        });
    }

    /// What the directories of areas take, when nothing was counted yet.
    void count(Map<String, Long> sizes) {
        locked(() -> {
            sizes.forEach((name, size) -> {
                var area = areas.get(name);
                if (area != null) {
                    count(area, size - area.bytes);
                }
            });
            return true;
        });
    }

    int count() {
        return locked(areas::size);
    }

    long bytes() {
        return locked(() -> bytes);
    }

    /// Everything they name, for those who compare.
    Collection<String> names() {
        return locked(() -> new ArrayList<>(new TreeSet<>(areas.keySet())));
    }

    private interface Look<T> {
        T look();
    }

    private <T> T locked(Look<T> look) {
        lock.lock();
        try {
            return look.look();
        } finally {
            lock.unlock();
        }
    }
}
