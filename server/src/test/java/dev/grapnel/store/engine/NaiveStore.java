package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.Viewer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What a store must do, slowly and obviously: written from relay 2.6, 3, 4 and service 4.9, with lists and
/// loops. It shares nothing with the real one but what an event and a filter are made of: tags, addresses,
/// dates and conditions are read here once more.
///
/// Four readings of the text, which leaves them open: a gate becomes ordinary also when its author has anything
/// served or held here (decision 0013); who has something here is asked of what no sweep has removed yet; what
/// is held stays so until its row goes, whatever its own time says (purgatory P-254); and gates end with the
/// sweep after their time (service 4.9.3).
final class NaiveStore {
    static final String BANNED = "false blocked: the operator of this relay has banned this event or its author";
    static final String VANISHED = "false blocked: its author asked this relay to forget everything up to a later date";
    static final String DELETED = "false blocked: deletion of this event was requested by its author";
    static final String OUTDATED = "false duplicate: have a newer version";
    static final String WAITING = "true purgatory: won't be served until git data arrives";
    static final String SERVED = "true ";

    /// The order of answers: newest first, ties by lower id.
    static final Comparator<Event> ORDER = Comparator.comparingLong(Event::createdAt)
            .reversed()
            .thenComparing(event -> event.id().toString());

    private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern ADDRESS = Pattern.compile("(0|[1-9][0-9]{0,4}):[0-9a-f]{64}:.*", Pattern.DOTALL);

    private final StoreRules rules;
    private final List<Event> served = new ArrayList<>();
    private final List<Event> held = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();
    private final List<Tombstone> tombstones = new ArrayList<>();
    private final Map<PublicKey, Event> vanished = new HashMap<>();
    private final Set<PublicKey> bannedAuthors = new HashSet<>();
    private final Set<EventId> bannedEvents = new HashSet<>();
    private long nowMillis;

    /// A deletion request of a stranger, and when it came.
    private record Gate(Event request, long firstSeen) {}

    /// What may not come back.
    ///
    /// @param target an id or an address
    /// @param until date of the request
    private record Tombstone(PublicKey deleter, String target, long until) {}

    NaiveStore(StoreRules rules, long nowMillis) {
        this.rules = rules;
        this.nowMillis = nowMillis;
    }

    void advance(long millis) {
        nowMillis += millis;
    }

    // Changes

    String save(Event event) {
        return findHeld(event.id()).isPresent() ? "true duplicate: in purgatory" : serve(event);
    }

    String release(EventId id) {
        var event = findHeld(id).orElseThrow(() -> new IllegalStateException("not held"));
        held.remove(event);
        return serve(event);
    }

    private String serve(Event event) {
        var refusal = findRefusal(event);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (event.kind() == 5 && !isKnown(event)) {
            keepGate(event);
            return SERVED;
        }
        insert(event);
        return SERVED;
    }

    String hold(Event event) {
        if (findHeld(event.id()).isPresent()) {
            return "true duplicate: in purgatory";
        }
        var refusal = findRefusal(event);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (event.kind() == 30_617) {
            held.removeIf(other -> addressOf(other).equals(addressOf(event)));
        }
        held.add(event);
        openGates(event.author());
        return WAITING;
    }

    Optional<Event> drop(EventId id) {
        var row = findHeld(id);
        row.ifPresent(held::remove);
        return row;
    }

    boolean withdraw(EventId id) {
        return served.removeIf(event -> event.id().equals(id));
    }

    void ban(PublicKey author) {
        bannedAuthors.add(author);
        served.removeIf(event -> event.author().equals(author));
        held.removeIf(event -> event.author().equals(author));
        gates.removeIf(gate -> gate.request.author().equals(author));
    }

    void ban(EventId id) {
        bannedEvents.add(id);
        served.removeIf(event -> event.id().equals(id));
        held.removeIf(event -> event.id().equals(id));
        gates.removeIf(gate -> gate.request.id().equals(id));
    }

    boolean unban(PublicKey author) {
        return bannedAuthors.remove(author);
    }

    boolean unban(EventId id) {
        return bannedEvents.remove(id);
    }

    /// Removes what is over, and says how much that was.
    int sweep() {
        int before = served.size() + gates.size();
        served.removeIf(this::isOver);
        gates.removeIf(gate -> gate.firstSeen + rules.gateTime().toMillis() <= nowMillis);
        return before - served.size() - gates.size();
    }

    // The decision (relay 4.10)

    private Optional<String> findRefusal(Event event) {
        if (isVisible(event.id())) {
            return Optional.of("true duplicate: already have this event");
        }
        if (event.kind() == 5 && targetsOf(event).size() > rules.targetsMax()) {
            return Optional.of("false invalid: too many targets");
        }
        if (event.kind() == 62 && !namesThisRelay(event)) {
            return Optional.of("false blocked: request does not name this relay");
        }
        return findObstacle(event)
                .or(() -> isOver(event) ? Optional.of("false invalid: event has expired") : Optional.empty())
                .or(() -> isOutdated(event) ? Optional.of(OUTDATED) : Optional.empty());
    }

    /// Steps 2 to 5. What refuses becomes ordinary, if it is a gate.
    private Optional<String> findObstacle(Event event) {
        if (isBanned(event)) {
            return Optional.of(BANNED);
        }
        if (!rules.respectsDeletion()) {
            return Optional.empty();
        }
        var vanish = findVanish(event);
        if (vanish.isPresent()) {
            return vanish;
        }
        if (!isDeleted(event)) {
            return Optional.empty();
        }
        var open = gates.stream().filter(gate -> covers(gate.request, event)).toList();
        for (var gate : open) {
            if (gates.remove(gate)) {
                insert(gate.request);
            }
        }
        return Optional.of(DELETED);
    }

    /// What admission is told, which changes nothing.
    boolean hasObstacle(Event event) {
        return isBanned(event)
                || (rules.respectsDeletion() && (findVanish(event).isPresent() || isDeleted(event)));
    }

    private boolean isBanned(Event event) {
        return bannedAuthors.contains(event.author()) || bannedEvents.contains(event.id());
    }

    private Optional<String> findVanish(Event event) {
        for (var person : concernedBy(event)) {
            var request = vanished.get(person);
            if (request == null || event.createdAt() > request.createdAt()) {
                continue;
            }
            if (event.kind() != 62 || event.createdAt() < request.createdAt()) {
                return Optional.of(VANISHED);
            }
            if (compareIds(event, request) > 0) {
                return Optional.of(OUTDATED);
            }
        }
        return Optional.empty();
    }

    private boolean isDeleted(Event event) {
        if (event.kind() == 5 || event.kind() == 62) {
            return false;
        }
        boolean byTombstone =
                tombstones.stream().anyMatch(stone -> covers(stone.deleter, stone.target, stone.until, event));
        return byTombstone || gates.stream().anyMatch(gate -> covers(gate.request, event));
    }

    private boolean isOutdated(Event event) {
        if (!hasAddress(event)) {
            return false;
        }
        boolean againstServed = served.stream().anyMatch(other -> !isOver(other) && isNewerVersion(other, event));
        boolean againstHeld = event.kind() == 30_617 && held.stream().anyMatch(other -> isNewerVersion(other, event));
        return againstServed || againstHeld;
    }

    private static boolean isNewerVersion(Event other, Event event) {
        boolean newer = other.createdAt() > event.createdAt()
                || (other.createdAt() == event.createdAt() && compareIds(other, event) < 0);
        return addressOf(other).equals(addressOf(event)) && newer;
    }

    // Effects

    private void insert(Event event) {
        if (hasAddress(event)) {
            served.removeIf(other -> addressOf(other).equals(addressOf(event)));
        }
        served.removeIf(other -> other.id().equals(event.id()));
        served.add(event);
        if (event.kind() == 5) {
            delete(event);
        } else if (event.kind() == 62) {
            vanish(event);
        }
        openGates(event.author());
    }

    private void delete(Event request) {
        for (var target : targetsOf(request)) {
            tombstones.add(new Tombstone(request.author(), target, request.createdAt()));
        }
        held.removeIf(event -> covers(request, event));
        if (rules.respectsDeletion()) {
            served.removeIf(event -> covers(request, event));
        }
    }

    private void vanish(Event request) {
        var author = request.author();
        long until = request.createdAt();
        held.removeIf(event -> event.author().equals(author) && event.createdAt() <= until);
        gates.removeIf(gate -> gate.request.author().equals(author) && gate.request.createdAt() <= until);
        if (rules.respectsDeletion()) {
            served.removeIf(event -> concernedBy(event).contains(author)
                    && event.createdAt() <= until
                    && !event.id().equals(request.id()));
            tombstones.removeIf(stone -> stone.deleter.equals(author) && stone.until <= until);
            vanished.put(author, request);
        }
    }

    private void openGates(PublicKey author) {
        var own = gates.stream()
                .filter(gate -> gate.request.author().equals(author))
                .toList();
        gates.removeAll(own);
        own.forEach(gate -> insert(gate.request));
    }

    private void keepGate(Event request) {
        int targets = sizeOf(request);
        boolean again = gates.stream().anyMatch(gate -> gate.request.id().equals(request.id()));
        boolean fits = targets <= rules.gateTargetsPerAuthor()
                && targets <= rules.gateTargetsMax()
                && bytesOf(request) <= rules.gateBytesMax();
        if (!rules.respectsDeletion() || again || !fits) {
            return;
        }
        Predicate<Gate> own = gate -> gate.request.author().equals(request.author());
        while (targetsOf(own) + targets > rules.gateTargetsPerAuthor()) {
            removeOldest(own);
        }
        Predicate<Gate> any = _ -> true;
        while (targetsOf(any) + targets > rules.gateTargetsMax()
                || gates.stream().mapToLong(gate -> bytesOf(gate.request)).sum() + bytesOf(request)
                        > rules.gateBytesMax()) {
            removeOldest(any);
        }
        gates.add(new Gate(request, nowMillis));
    }

    private int targetsOf(Predicate<Gate> which) {
        return gates.stream()
                .filter(which)
                .mapToInt(gate -> sizeOf(gate.request))
                .sum();
    }

    /// A request that names nothing takes a place all the same.
    private static int sizeOf(Event request) {
        return Math.max(1, targetsOf(request).size());
    }

    private void removeOldest(Predicate<Gate> which) {
        gates.remove(gates.stream()
                .filter(which)
                .min(Comparator.comparingLong(Gate::firstSeen)
                        .thenComparing(gate -> gate.request.id().toString()))
                .orElseThrow());
    }

    private static int bytesOf(Event event) {
        return event.json().length();
    }

    // What an event says

    /// Whether the request's author has something here, or it targets something of its own.
    private boolean isKnown(Event request) {
        return hasAnything(request.author()) || served.stream().anyMatch(event -> covers(request, event));
    }

    private static boolean covers(Event request, Event event) {
        return targetsOf(request).stream()
                .anyMatch(target -> covers(request.author(), target, request.createdAt(), event));
    }

    private static boolean covers(PublicKey deleter, String target, long until, Event event) {
        if (event.kind() == 5 || event.kind() == 62) {
            return false;
        }
        boolean byId =
                target.equals(event.id().toString()) && concernedBy(event).contains(deleter);
        boolean byAddress = hasAddress(event) && target.equals(addressOf(event)) && event.createdAt() <= until;
        return byId || byAddress;
    }

    /// Ids and own addresses a deletion request names, each once.
    static Set<String> targetsOf(Event request) {
        var targets = new LinkedHashSet<String>();
        for (var tag : request.tags()) {
            var value = tag.value().orElse("");
            if (tag.isNamed("e") && ID.matcher(value).matches()) {
                targets.add(value);
            } else if (tag.isNamed("a") && ADDRESS.matcher(value).matches()) {
                var parts = value.split(":", 3);
                boolean own = parts[1].equals(request.author().toString());
                if (own && isReplaceable(Integer.parseInt(parts[0]))) {
                    targets.add(parts[0] + ":" + parts[1] + ":");
                } else if (own && isAddressable(Integer.parseInt(parts[0]))) {
                    targets.add(value);
                }
            }
        }
        return targets;
    }

    private static int compareIds(Event one, Event other) {
        return Arrays.compareUnsigned(one.id().toBytes(), other.id().toBytes());
    }

    private static List<PublicKey> concernedBy(Event event) {
        var people = new ArrayList<>(List.of(event.author()));
        if (event.kind() == 1059) {
            for (var recipient : valuesOf(event, "p")) {
                PublicKey.parse(recipient).find().ifPresent(people::add);
            }
        }
        return people;
    }

    private boolean namesThisRelay(Event request) {
        return valuesOf(request, "relay").stream()
                .anyMatch(relay -> relay.equals("ALL_RELAYS") || relay.equals("wss://relay.example.com"));
    }

    static List<String> valuesOf(Event event, String name) {
        var values = new ArrayList<String>();
        for (var tag : event.tags()) {
            if (tag.isNamed(name)) {
                tag.value().ifPresent(values::add);
            }
        }
        return values;
    }

    private static boolean isReplaceable(int kind) {
        return kind == 0 || kind == 3 || (kind >= 10_000 && kind < 20_000);
    }

    private static boolean isAddressable(int kind) {
        return kind >= 30_000 && kind < 40_000;
    }

    static boolean hasAddress(Event event) {
        return isReplaceable(event.kind()) || isAddressable(event.kind());
    }

    static String addressOf(Event event) {
        if (!isAddressable(event.kind())) {
            return isReplaceable(event.kind()) ? event.kind() + ":" + event.author() + ":" : "";
        }
        for (var tag : event.tags()) {
            if (tag.isNamed("d")) {
                return event.kind() + ":" + event.author() + ":" + tag.value().orElse("");
            }
        }
        return event.kind() + ":" + event.author() + ":";
    }

    private boolean isOver(Event event) {
        var values = valuesOf(event, "expiration");
        return !values.isEmpty() && Long.parseLong(values.getFirst()) <= Math.floorDiv(nowMillis, 1_000L);
    }

    // Reading

    boolean hasAnything(PublicKey author) {
        return served.stream().anyMatch(event -> event.author().equals(author))
                || held.stream().anyMatch(event -> event.author().equals(author));
    }

    boolean isVisible(EventId id) {
        return visible().stream().anyMatch(event -> event.id().equals(id));
    }

    Optional<Event> findHeld(EventId id) {
        return held.stream().filter(event -> event.id().equals(id)).findFirst();
    }

    Optional<Event> findCurrent(String address) {
        return visible().stream()
                .filter(event -> hasAddress(event) && addressOf(event).equals(address))
                .findFirst();
    }

    /// Everything that is seen, in the order of answers.
    List<Event> visible() {
        return served.stream().filter(event -> !isOver(event)).sorted(ORDER).toList();
    }

    /// What is served, and what is over but not removed.
    List<Event> kept() {
        return List.copyOf(served);
    }

    List<Event> held() {
        return List.copyOf(held);
    }

    List<Event> gates() {
        return gates.stream().map(Gate::request).toList();
    }

    /// Everything a filter matches, in order, whatever its limit.
    List<Event> matching(Filter filter, Viewer viewer) {
        var tags = new HashMap<String, List<String>>();
        filter.tags()
                .forEach(condition -> tags.put(
                        String.valueOf(condition.letter()), condition.values().toList()));
        return visible().stream()
                .filter(event -> matches(filter, event) && matches(tags, event) && maySee(viewer, event))
                .toList();
    }

    /// The union of each filter's first so many.
    ///
    /// @param defaultLimit for filters without a limit
    List<Event> query(List<Filter> filters, Viewer viewer, long limitMax, long defaultLimit) {
        var wanted = new HashSet<Event>();
        for (var filter : filters) {
            long limit = limitOf(filter, limitMax, defaultLimit);
            matching(filter, viewer).stream().limit(limit).forEach(wanted::add);
        }
        return wanted.stream().sorted(ORDER).toList();
    }

    static long limitOf(Filter filter, long limitMax, long defaultLimit) {
        return filter.limit().isPresent()
                ? Math.min(filter.limit().getAsLong(), limitMax)
                : Math.max(defaultLimit, filter.ids().map(List::size).orElse(0));
    }

    private static boolean maySee(Viewer viewer, Event event) {
        return !viewer.restrictedKinds().contains(event.kind())
                || viewer.keys().contains(event.author())
                || valuesOf(event, "p").stream()
                        .anyMatch(value -> viewer.keys().stream()
                                .anyMatch(key -> key.toString().equals(value)));
    }

    private static boolean matches(Filter filter, Event event) {
        return filter.ids().map(ids -> ids.contains(event.id())).orElse(true)
                && filter.authors()
                        .map(authors -> authors.contains(event.author()))
                        .orElse(true)
                && filter.kinds().map(kinds -> kinds.contains(event.kind())).orElse(true)
                && event.createdAt() >= filter.since().orElse(0)
                && event.createdAt() <= filter.until().orElse(Long.MAX_VALUE);
    }

    private static boolean matches(Map<String, List<String>> tags, Event event) {
        return tags.entrySet().stream()
                .allMatch(condition ->
                        valuesOf(event, condition.getKey()).stream().anyMatch(condition.getValue()::contains));
    }
}
