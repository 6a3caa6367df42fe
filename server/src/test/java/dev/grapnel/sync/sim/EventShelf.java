package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// The events of a relay, found by id, by kind and by the values of their tags.
final class EventShelf implements Shelf {
    private static final EventId LOWEST = new EventId(0, 0, 0, 0);
    private static final Comparator<Version> NEWEST_FIRST = Comparator.reverseOrder();

    private final boolean replaces;
    private final boolean deletes;
    private final Map<EventId, Event> byId = new LinkedHashMap<>();
    private final Map<Address, Event> byAddress = new HashMap<>();
    private final Map<EventId, Event> deletedIds = new HashMap<>();
    private final Map<String, Long> deletedAddresses = new HashMap<>();
    private final NavigableMap<Version, Event> all = new TreeMap<>(NEWEST_FIRST);
    private final Map<Integer, NavigableMap<Version, Event>> byKind = new HashMap<>();
    private final Map<String, NavigableMap<Version, Event>> byTag = new HashMap<>();

    /// @param replaces whether only the newest version of an address is kept
    /// @param deletes whether deletion requests count
    EventShelf(boolean replaces, boolean deletes) {
        this.replaces = replaces;
        this.deletes = deletes;
    }

    /// Takes an event; false if it is here, is outdated or was taken back.
    boolean add(Event event) {
        if (byId.containsKey(event.id()) || isDeleted(event) || !makeRoom(event)) {
            return false;
        }
        byId.put(event.id(), event);
        event.findAddress().ifPresent(address -> byAddress.put(address, event));
        forEachIndex(event, index -> index.put(event.version(), event));
        if (deletes && event.kind() == Kinds.DELETION) {
            delete(event);
        }
        return true;
    }

    private boolean makeRoom(Event event) {
        var older = replaces ? event.findAddress().map(byAddress::get) : Optional.<Event>empty();
        if (older.isPresent() && event.isOlderThan(older.get().version())) {
            return false;
        }
        older.ifPresent(this::remove);
        return true;
    }

    private boolean isDeleted(Event event) {
        var deletion = deletedIds.get(event.id());
        return (deletion != null && deletion.author().equals(event.author()))
                || event.findAddress()
                        .map(address -> deletedAddresses.getOrDefault(address.toString(), -1L))
                        .filter(until -> event.createdAt() <= until)
                        .isPresent();
    }

    private void delete(Event request) {
        for (var value : request.tags().values("e")) {
            EventId.parse(value).find().ifPresent(id -> {
                deletedIds.put(id, request);
                Optional.ofNullable(byId.get(id))
                        .filter(event -> event.author().equals(request.author()) && event.kind() != Kinds.DELETION)
                        .ifPresent(this::remove);
            });
        }
        for (var value : request.tags().values("a")) {
            Address.parse(value)
                    .find()
                    .filter(address -> address.author().equals(request.author()))
                    .ifPresent(address -> {
                        deletedAddresses.merge(address.toString(), request.createdAt(), Math::max);
                        Optional.ofNullable(byAddress.get(address))
                                .filter(event -> event.createdAt() <= request.createdAt())
                                .ifPresent(this::remove);
                    });
        }
    }

    /// Takes an event out, as if it had never been here.
    void remove(Event event) {
        byId.remove(event.id());
        event.findAddress().ifPresent(address -> byAddress.remove(address, event));
        forEachIndex(event, index -> index.remove(event.version()));
    }

    private interface Work {
        void on(NavigableMap<Version, Event> index);
    }

    private void forEachIndex(Event event, Work work) {
        work.on(all);
        work.on(byKind.computeIfAbsent(event.kind(), _ -> new TreeMap<>(NEWEST_FIRST)));
        for (var tag : event.tags()) {
            if (tag.name().length() == 1 && tag.size() > 1) {
                work.on(byTag.computeIfAbsent(tag.name() + tag.element(1), _ -> new TreeMap<>(NEWEST_FIRST)));
            }
        }
    }

    boolean has(EventId id) {
        return byId.containsKey(id);
    }

    Optional<Event> find(EventId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /// Everything, in the order in which it came.
    Collection<Event> events() {
        return List.copyOf(byId.values());
    }

    int size() {
        return byId.size();
    }

    @Override
    public List<Event> find(Filter filter, int most) {
        var found = new ArrayList<Event>();
        var candidates = candidates(filter);
        var last = Optional.<Event>empty();
        while (found.size() < most && candidates.hasNext()) {
            var event = candidates.next();
            if (!last.equals(Optional.of(event)) && filter.matches(event)) {
                found.add(event);
            }
            last = Optional.of(event);
        }
        return found;
    }

    @Override
    public NegentropyItems items(Filter filter) {
        var items = NegentropyItems.builder(16, NegentropyItems.ITEMS_MAX);
        find(filter, Integer.MAX_VALUE).forEach(event -> items.add(event.createdAt(), event.id()));
        return items.seal();
    }

    /// What may match, the newest first; one after the other what is in several lists.
    private Iterator<Event> candidates(Filter filter) {
        if (filter.ids().isPresent()) {
            return filter.ids().get().stream()
                    .flatMap(id -> find(id).stream())
                    .sorted(Comparator.comparing(Event::version, NEWEST_FIRST))
                    .iterator();
        }
        long until = filter.until().orElse(Long.MAX_VALUE);
        return new Merge(lists(filter).stream()
                .map(list ->
                        list.tailMap(new Version(until, LOWEST), true).values().iterator())
                .toList());
    }

    private List<NavigableMap<Version, Event>> lists(Filter filter) {
        if (!filter.tags().isEmpty()) {
            var condition = filter.tags().getFirst();
            return condition.values().toList().stream()
                    .flatMap(value -> Optional.ofNullable(byTag.get(condition.letter() + value)).stream())
                    .toList();
        }
        return filter.kinds()
                .map(kinds -> kinds.stream()
                        .flatMap(kind -> Optional.ofNullable(byKind.get(kind)).stream())
                        .toList())
                .orElse(List.of(all));
    }

    /// Many lists as one, the newest first.
    private static final class Merge implements Iterator<Event> {
        private final PriorityQueue<Head> heads = new PriorityQueue<>(
                Comparator.comparing((Head head) -> head.event().version(), NEWEST_FIRST));

        private record Head(Event event, Iterator<Event> rest) {}

        Merge(List<Iterator<Event>> lists) {
            lists.forEach(this::add);
        }

        private void add(Iterator<Event> list) {
            if (list.hasNext()) {
                heads.add(new Head(list.next(), list));
            }
        }

        @Override
        public boolean hasNext() {
            return !heads.isEmpty();
        }

        @Override
        public Event next() {
            var head = heads.remove();
            add(head.rest());
            return head.event();
        }
    }
}
