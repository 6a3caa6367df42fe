package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.refs.Refs;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.SpecifiedSets;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What must be true of a server at rest, computed from all events and objects there are by the text of the
/// specification alone (README section 4).
final class TheoremCheck {
    private static final Comparator<Made> NEWEST_FIRST = (one, other) -> one.isNewerThan(other) ? -1 : 1;

    private final TheoremWorld world;
    private final TheoremObjects objects;
    private final MaintainerModel model;
    private final Map<String, Made> made;
    private final Map<RepositoryAddress, Refs> before;

    private final List<Made> served;
    private final List<Held> heldRows;
    private final List<Made> held = new ArrayList<>();
    private final Map<RepositoryAddress, Standing.Phase> standings;
    private final Map<RepositoryAddress, String> repairs;
    private final Map<RepositoryAddress, Refs> refs = new TreeMap<>();
    private final Map<RepositoryAddress, Set<Oid>> present = new TreeMap<>();
    private final Map<String, SpecifiedSets> sets = new TreeMap<>();

    /// @param before refs at the last rest
    TheoremCheck(
            TheoremWorld world,
            TheoremObjects objects,
            MaintainerModel model,
            Map<String, Made> made,
            Map<RepositoryAddress, Refs> before)
            throws IOException {
        this.world = world;
        this.objects = objects;
        this.model = model;
        this.made = made;
        this.before = before;
        this.served = world.served().stream().map(this::known).toList();
        this.heldRows = world.held();
        heldRows.forEach(row -> held.add(known(row.event())));
        this.standings = world.standings();
        this.repairs = world.repairs();
        for (var address : world.onDisk()) {
            refs.put(address, world.refs(address));
            present.put(address, world.objects(address));
        }
    }

    private Made known(Event event) {
        var found = made.get(event.id().toHex());
        assertTrue(found != null, "nobody made " + event);
        return found;
    }

    Map<RepositoryAddress, Refs> refs() {
        return refs;
    }

    private Refs refsOf(RepositoryAddress address) {
        return Objects.requireNonNull(refs.get(address));
    }

    private Set<Oid> objectsOf(RepositoryAddress address) {
        return Objects.requireNonNull(present.get(address));
    }

    void check() throws IOException {
        assertEquals("", world.problems(), "problems");
        var explained = new TreeSet<RepositoryAddress>();
        for (var address : refs.keySet()) {
            if (isHosted(address)) {
                checkHosted(address, explained);
            } else if (standings.get(address) == Standing.Phase.WITHDRAWN && before.containsKey(address)) {
                assertSame(address, "withdrawn");
            }
            checkShown(address);
        }
        var present = new TreeSet<>(repairs.keySet());
        present.removeIf(address -> standings.get(address) == Standing.Phase.TRASHED); // for when it comes back
        assertEquals(explained, present, "the ledger, which says " + repairs);
        checkWaiting();
        checkServed();
    }

    // ---- who may what

    private boolean isServedHosted(RepositoryAddress address) {
        return standings.get(address) == Standing.Phase.HOSTED && servedAnnouncement(address);
    }

    private boolean servedAnnouncement(RepositoryAddress address) {
        return served.stream().anyMatch(event -> isAnnouncementOf(event, address));
    }

    private static boolean isAnnouncementOf(Made event, RepositoryAddress address) {
        return event.kind() == Kinds.ANNOUNCEMENT
                && event.author().equals(address.owner().toHex())
                && event.identifier().equals(address.identifier().text());
    }

    private boolean isHeldActive(RepositoryAddress address) {
        return heldRows.stream()
                .anyMatch(row -> TheoremWorld.isActive(row) && isAnnouncementOf(known(row.event()), address));
    }

    /// Whether states decide about it.
    private boolean isHosted(RepositoryAddress address) {
        return isServedHosted(address) || isHeldActive(address);
    }

    private boolean carries(RepositoryAddress address) {
        return servedAnnouncement(address)
                && (standings.get(address) == Standing.Phase.HOSTED
                        || standings.get(address) == Standing.Phase.WITHDRAWN);
    }

    private SpecifiedSets sets(String identifier) {
        return sets.computeIfAbsent(identifier, name -> {
            var newest = new TreeMap<String, Made>();
            Stream.concat(served.stream(), held.stream())
                    .filter(event -> event.kind() == Kinds.ANNOUNCEMENT
                            && event.identifier().equals(name))
                    .forEach(event -> newest.merge(event.author(), event, (a, b) -> a.isNewerThan(b) ? a : b));
            var pool = new SpecifiedSets(model);
            newest.values().forEach(event -> pool.put(event.author(), event.tags()));
            return pool;
        });
    }

    private Set<String> members(PublicKey owner, String identifier) {
        return sets(identifier).of(owner.toHex()).members();
    }

    private boolean isMember(String author, RepositoryAddress address) {
        return members(address.owner(), address.identifier().text()).contains(author);
    }

    // ---- objects

    /// P-320: whole repositories of those who belong together, of others what they show.
    private Set<Oid> pool(String author, String identifier) throws IOException {
        var related = new TreeSet<String>();
        for (int person = 0; person < GraspWorld.PEOPLE; person++) {
            var address = TheoremWorld.address(person, identifier);
            if (isMember(author, address)) {
                related.add(address.owner().toHex());
                related.addAll(members(address.owner(), identifier));
            }
        }
        var all = new TreeSet<Oid>();
        for (var address : present.keySet()) {
            if (!address.identifier().text().equals(identifier)) {
                continue;
            }
            if (related.contains(address.owner().toHex())) {
                all.addAll(objectsOf(address));
            } else if (carries(address)) {
                world.shownRefs(address)
                        .values()
                        .values()
                        .forEach(value -> all.addAll(objects.closure(value.target())));
            }
        }
        return all;
    }

    private boolean isHere(Oid id, Set<Oid> pool) {
        return objects.exists(id) && pool.containsAll(objects.closure(id));
    }

    private boolean isApplicable(Made state) throws IOException {
        if (!isSatisfiable(state)) {
            return false;
        }
        var pool = pool(state.author(), state.identifier());
        return declared(state).entrySet().stream()
                .allMatch(ref -> isHere(Oid.parse(ref.getValue()).require(), pool)
                        && (!ref.getKey().startsWith("refs/heads/")
                                || objects.isCommit(Oid.parse(ref.getValue()).require())));
    }

    // ---- states, read from their tags

    /// D (P-300 to P-302).
    private static Map<String, String> declared(Made state) {
        var declared = new TreeMap<String, String>();
        for (var tag : state.tags()) {
            boolean isRef =
                    tag.getFirst().startsWith("refs/heads/") || tag.getFirst().startsWith("refs/tags/");
            if (isRef && !tag.getFirst().endsWith("^{}") && !tag.get(1).startsWith("ref: ")) {
                declared.put(tag.getFirst(), tag.get(1));
            }
        }
        return declared;
    }

    private static Set<String> setAside(Made state) {
        var names = new TreeSet<String>();
        for (var tag : state.tags()) {
            if (tag.getFirst().startsWith("refs/") && tag.get(1).startsWith("ref: ")) {
                names.add(tag.getFirst());
            }
        }
        return names;
    }

    private static boolean isSatisfiable(Made state) {
        return declared(state).values().stream().allMatch(value -> value.matches("[0-9a-f]{40}"));
    }

    /// Service 7.3.2.
    private static String head(Made state) {
        var branches = declared(state).keySet().stream()
                .filter(name -> name.startsWith("refs/heads/"))
                .toList();
        var named = state.first("HEAD").map(value -> value.startsWith("ref: ") ? value.substring(5) : value);
        return Stream.of(named, Optional.of("refs/heads/master"), Optional.of("refs/heads/main"))
                .flatMap(Optional::stream)
                .filter(branches::contains)
                .findFirst()
                .orElseGet(() -> branches.isEmpty() ? "refs/heads/main" : branches.getFirst());
    }

    private Optional<Made> winner(RepositoryAddress address, List<Made> states) {
        return states.stream()
                .filter(event -> event.kind() == Kinds.STATE
                        && event.identifier().equals(address.identifier().text())
                        && isMember(event.author(), address)
                        && isSatisfiable(event))
                .min(NEWEST_FIRST);
    }

    // ---- the theorem

    private static Map<String, Oid> managed(Refs refs) {
        var managed = new TreeMap<String, Oid>();
        refs.values().forEach((name, value) -> {
            if (name.isBranch() || name.isTag()) {
                managed.put(name.text(), value.target());
            }
        });
        return managed;
    }

    private void checkHosted(RepositoryAddress address, Set<RepositoryAddress> explained) throws IOException {
        var now = managed(refsOf(address));
        if (!isServedHosted(address)) {
            checkHeld(address, now, explained);
            return;
        }
        var winner = winner(address, served);
        if (winner.isEmpty()) {
            assertSame(address, "E-2: nobody governs");
        } else if (isApplicable(winner.get())) {
            checkAligned(address, winner.get(), now);
        } else {
            assertSame(address, "E-4: objects are missing of " + winner.get());
            if (!isEqual(address, winner.get(), now)) {
                explained.add(address);
            }
        }
        if (lacksProposal(address)) {
            explained.add(address);
        }
    }

    /// Outside a run there is nothing in it (I-18); whoever governs it is empty or not here.
    private void checkHeld(RepositoryAddress address, Map<String, Oid> now, Set<RepositoryAddress> explained)
            throws IOException {
        assertEquals(Map.of(), now, "branches and tags of " + address + ", which only waits");
        var winner = winner(address, withReady());
        if (winner.isPresent() && !isApplicable(winner.get())) {
            explained.add(address);
        } else if (winner.isPresent()) {
            assertTrue(
                    winner.get().isEmptyState(),
                    () -> address + " waits although " + winner.get() + " governs it and is here");
        }
    }

    private boolean isEqual(RepositoryAddress address, Made winner, Map<String, Oid> now) {
        return expected(winner, now).equals(now)
                && refsOf(address).head().text().equals(head(winner));
    }

    private static Map<String, Oid> expected(Made winner, Map<String, Oid> now) {
        var expected = new TreeMap<String, Oid>();
        declared(winner)
                .forEach((name, value) -> expected.put(name, Oid.parse(value).require()));
        // E-3: what it sets aside is not touched
        setAside(winner).stream().filter(now::containsKey).forEach(name -> expected.put(name, now.get(name)));
        return expected;
    }

    private void checkAligned(RepositoryAddress address, Made winner, Map<String, Oid> now) {
        assertEquals(named(expected(winner, now)), named(now), () -> "refs of " + address + ", governed by " + winner);
        assertEquals(
                head(winner), refsOf(address).head().text(), () -> "HEAD of " + address + ", governed by " + winner);
        var former = before.get(address);
        for (var name : setAside(winner)) {
            if (former != null) {
                var was = managed(former);
                assertTrue(
                        !was.containsKey(name) || now.containsKey(name),
                        () -> name + " of " + address + " was set aside");
            }
        }
    }

    private Map<String, String> named(Map<String, Oid> values) {
        var named = new TreeMap<String, String>();
        values.forEach((name, id) -> named.put(name, objects.name(id)));
        return named;
    }

    private void assertSame(RepositoryAddress address, String why) {
        var former = before.get(address);
        if (former != null) {
            assertEquals(named(managed(former)), named(managed(refsOf(address))), () -> address + " " + why);
            assertEquals(former.head(), refsOf(address).head(), () -> "HEAD of " + address + " " + why);
        }
    }

    // ---- proposals

    private static Oid tip(Made proposal) {
        return Oid.parse(proposal.first("c").orElseThrow()).require();
    }

    /// P-400.
    private boolean isRelevant(Made proposal, RepositoryAddress address) {
        return isServedHosted(address)
                && NaivePlace.coordinates(proposal).stream().anyMatch(target -> {
                    var owner = target.substring(0, 64);
                    return target.substring(65).equals(address.identifier().text())
                            && (owner.equals(address.owner().toHex()) || isMember(owner, address));
                });
    }

    private boolean lacksProposal(RepositoryAddress address) throws IOException {
        boolean lacks = false;
        for (var event : served) {
            if (event.isProposal() && isRelevant(event, address)) {
                var target = refsOf(address).target(new RefName("refs/nostr/" + event.id()));
                if (!target.equals(tip(event))) {
                    var pool = pool(event.author(), address.identifier().text());
                    assertTrue(
                            !isHere(tip(event), pool),
                            () -> address + " lacks the ref of " + event + " though its commit is here");
                    lacks = true;
                }
            }
        }
        return lacks;
    }

    // ---- what is seen

    private void checkShown(RepositoryAddress address) throws IOException {
        for (var entry : world.shownRefs(address).values().entrySet()) {
            var name = entry.getKey();
            if (name.isBranch() || name.isTag()) {
                assertTrue(carries(address), () -> name + " of " + address + " is shown, which only waits");
            } else {
                var id = name.text().substring("refs/nostr/".length());
                var event =
                        served.stream().filter(found -> found.id().equals(id)).findFirst();
                assertTrue(event.isPresent(), () -> name + " of " + address + " is shown, and its event is not");
                assertEquals(tip(event.orElseThrow()), entry.getValue().target(), name.text());
            }
            assertTrue(
                    objectsOf(address)
                            .containsAll(objects.closure(entry.getValue().target())),
                    () -> name + " of " + address + " lacks objects");
        }
    }

    /// Served states, and those that wait though they need nothing more.
    private List<Made> withReady() throws IOException {
        var all = new ArrayList<>(served);
        all.addAll(ready());
        return all;
    }

    /// Of each author only the newest.
    private List<Made> ready() throws IOException {
        var ready = new ArrayList<Made>();
        var authors = new HashSet<String>();
        for (var state : held.stream()
                .filter(event -> event.kind() == Kinds.STATE)
                .sorted(NEWEST_FIRST)
                .toList()) {
            boolean isHeard = refs.keySet().stream().anyMatch(address -> isAuthorisedBy(address, state));
            if (isHeard && isApplicable(state) && authors.add(state.author() + state.identifier())) {
                ready.add(state);
            }
        }
        return ready;
    }

    private boolean isAuthorisedBy(RepositoryAddress address, Made state) {
        return isHosted(address)
                && address.identifier().text().equals(state.identifier())
                && isMember(state.author(), address);
    }

    /// Nothing waits that could be served (purgatory 5.2).
    private void checkWaiting() throws IOException {
        for (var event : held) {
            if (event.kind() == Kinds.STATE) {
                checkNewest(event);
            } else if (event.isProposal()) {
                checkProposal(event);
            }
        }
        for (var state : ready()) {
            for (var address : refs.keySet()) {
                if (isAuthorisedBy(address, state)) {
                    boolean isGovernedByEmpty = winner(address, withReady())
                            .filter(Made::isEmptyState)
                            .isPresent();
                    assertTrue(
                            !isServedHosted(address) && isGovernedByEmpty,
                            () -> state + " waits though it is here and " + address + " is, too");
                }
            }
        }
    }

    private void checkNewest(Made state) {
        var latest = served.stream()
                .filter(event -> NaivePlace.isVersion(event, state))
                .findFirst();
        assertTrue(
                latest.isEmpty() || state.isNewerThan(latest.get()),
                () -> state + " waits, and its author has said something newer");
    }

    private void checkProposal(Made proposal) throws IOException {
        for (var address : refs.keySet()) {
            var pool = pool(proposal.author(), address.identifier().text());
            assertTrue(
                    !isRelevant(proposal, address) || !isHere(tip(proposal), pool),
                    () -> proposal + " waits though its commit is here");
        }
    }

    /// I-2: a state that is served has its objects, unless they went with a repository.
    private void checkServed() throws IOException {
        for (var event : served) {
            if (event.kind() == Kinds.STATE) {
                assertTrue(isSatisfiable(event), () -> event + " is served");
                boolean isWhole = present.keySet().containsAll(before.keySet());
                if (isWhole && before.isEmpty()) {
                    assertTrue(isApplicable(event), () -> event + " is served without its objects");
                }
            }
        }
    }
}
