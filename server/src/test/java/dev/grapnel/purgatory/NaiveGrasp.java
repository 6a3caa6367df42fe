package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.purgatory.pool.SpecifiedSets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What a server without git data does with events, as the text of the specification says (service 4 and 5,
/// purgatory 1 and 2, relay 4.5 to 4.10): everything is looked for anew by going through all there is.
final class NaiveGrasp extends NaiveAftermath {
    NaiveGrasp(MaintainerModel model, long now) {
        super(model, now);
    }

    // ---- arrival (service 4.1)

    String submit(Made made, boolean isSynced) {
        if (visible().contains(made.id())) {
            return "true duplicate: already have this event";
        }
        if (held.containsKey(made.id())) {
            return repeat(held.get(made.id()), isSynced);
        }
        var obstacle = obstacle(made);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        if (made.createdAt() > second() + 900) {
            return "false invalid: created_at is more than 900 seconds in the future, check your clock";
        }
        if (isOver(made)) {
            return "false invalid: event has expired";
        }
        return switch (made.kind()) {
            case Kinds.ANNOUNCEMENT -> announce(made, isSynced);
            case Kinds.STATE -> state(made, isSynced);
            case Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE -> propose(made, isSynced);
            case Kinds.DELETION -> delete(made);
            case Kinds.VANISH -> change(Cause.VANISH, () -> serve(made));
            case Kinds.GRASP_LIST -> related(made);
            default -> isRelated(made) ? related(made) : UNRELATED;
        };
    }

    /// A5, A6, S3, P-222; P-215 for states. P-254: what has expired begins nothing anew.
    private String repeat(Entry entry, boolean isSynced) {
        boolean isSoft = entry.phase() == Phase.SOFT_EXPIRED;
        if (isSynced || isOver(entry.made()) || (!isSoft && entry.source().equals("DIRECT"))) {
            return IN_PURGATORY;
        }
        var phase = isSoft ? Phase.ACTIVE : entry.phase();
        held.put(entry.made().id(), new Entry(entry.made(), phase, "DIRECT", now + EXPIRY.toMillis()));
        if (entry.made().kind() == Kinds.STATE) {
            keepAnnouncements(entry.made(), false);
        }
        return IN_PURGATORY;
    }

    // ---- announcements (service 4.4)

    private String announce(Made made, boolean isSynced) {
        var identifier = made.identifier();
        if (made.tags().stream().filter(tag -> tag.getFirst().equals("clone")).count() > 1) {
            return "false invalid: multiple clone tags found, use one clone tag with several values";
        }
        var repository = Optional.ofNullable(repositories.get(key(made)));
        boolean isOnline =
                repository.filter(found -> found.standing() != Standing.TRASHED).isPresent();
        var last = servedOf(made.author(), identifier);
        var own = last.filter(found -> !isOver(found));
        var waiting = heldOf(made.author(), identifier).filter(found -> !isOver(found.made()));
        boolean isOlder = Stream.concat(
                        last.filter(_ -> isOnline).or(() -> own).stream(),
                        waiting.stream().map(Entry::made))
                .anyMatch(version -> version.isNewerThan(made));
        if (isOlder) {
            return OLDER;
        }
        if (GraspWorld.listsService(made)) {
            boolean returns = repository
                    .flatMap(Repository::left)
                    .filter(left -> !left.isNewerThan(made))
                    .isPresent();
            return host(made, isSynced, isOnline, returns);
        }
        boolean isNamedByServed = isNamed(made, served.values().stream());
        boolean isNamedByHeld = isNamed(made, grounded(made, other -> !isOver(other)).stream());
        if (isOnline) { // 4.4.3, 4 and 5: served, and withdrawn
            return change(Cause.OTHER, () -> {
                held.values().removeIf(entry -> isVersion(entry.made(), made));
                if (repository.get().standing() == Standing.HOSTED) {
                    repositories.put(key(made), new Repository(Standing.WITHDRAWN, now));
                }
                return serve(made);
            });
        }
        if (isNamedByServed || own.isPresent()) { // own: a served reference
            return change(Cause.OTHER, () -> {
                held.values().removeIf(entry -> isVersion(entry.made(), made));
                return serve(made);
            });
        }
        if (isNamedByHeld) {
            return isSynced && expired.containsKey(made.id())
                    ? EXPIRED
                    : change(Cause.OTHER, () -> hold(made, Phase.REFERENCE, isSynced));
        }
        if (waiting.isPresent()) {
            return change(Cause.OTHER, () -> {
                held.remove(waiting.get().made().id());
                return "false blocked: announcement no longer lists this service";
            });
        }
        return "false blocked: announcement must list this service in both 'clone' and 'relays' tags (clone: "
                + String.join(", ", made.all("clone")) + "; relays: " + String.join(", ", made.all("relays")) + ")";
    }

    private String host(Made made, boolean isSynced, boolean isOnline, boolean isKept) {
        if (isOnline || isKept) { // content is proven, or comes back from the trash
            return change(Cause.OTHER, () -> {
                held.values().removeIf(entry -> isVersion(entry.made(), made));
                repositories.put(key(made), new Repository(Standing.HOSTED, now));
                return serve(made);
            });
        }
        if (isSynced && expired.containsKey(made.id())) {
            return EXPIRED;
        }
        boolean isReplacing = heldOf(made.author(), made.identifier())
                .filter(entry -> !isOver(entry.made()))
                .isPresent();
        return change(Cause.OTHER, () -> {
            var answer = hold(made, Phase.ACTIVE, isSynced);
            if (isReplacing) { // A3
                var members = pool(made.identifier()).of(made.author());
                var states = held.values().stream()
                        .filter(entry -> entry.made().kind() == Kinds.STATE
                                && entry.made().identifier().equals(made.identifier())
                                && entry.deadline() < now + EXPIRY.toMillis()
                                && members.contains(entry.made().author()))
                        .toList();
                for (var state : states) {
                    extend(state, now + EXPIRY.toMillis());
                    keepAnnouncements(state.made(), false);
                }
            }
            return answer;
        });
    }

    private void extend(Entry entry, long deadline) {
        held.put(
                entry.made().id(),
                new Entry(entry.made(), entry.phase(), entry.source(), Math.max(entry.deadline(), deadline)));
    }

    private String hold(Made made, Phase phase, boolean isSynced) {
        if (made.kind() == Kinds.ANNOUNCEMENT) {
            held.values().removeIf(entry -> isVersion(entry.made(), made));
        }
        held.put(made.id(), new Entry(made, phase, isSynced ? "SYNC" : "DIRECT", now + EXPIRY.toMillis()));
        expired.remove(made.id());
        openGates(made.author());
        return HELD;
    }

    /// P-215, A7, A8: no held announcement ends before a non-empty state it authorises, nor does the one of
    /// the state's author; only a new state brings one back whose repository is gone.
    private void keepAnnouncements(Made state, boolean isNew) {
        if (state.isEmptyState()) {
            return;
        }
        var pool = pool(state.identifier());
        for (var entry : List.copyOf(held.values())) {
            var made = entry.made();
            if (made.kind() != Kinds.ANNOUNCEMENT
                    || entry.phase() == Phase.REFERENCE
                    || isOver(made)
                    || !made.identifier().equals(state.identifier())) {
                continue;
            }
            boolean authorises = pool.of(made.author()).contains(state.author());
            if (authorises && isNew && entry.phase() == Phase.SOFT_EXPIRED) {
                held.put(made.id(), new Entry(made, Phase.ACTIVE, entry.source(), now + EXPIRY.toMillis()));
            } else if (authorises || made.author().equals(state.author())) {
                extend(entry, now + EXPIRY.toMillis());
            }
        }
    }

    // ---- states (service 4.5)

    private String state(Made made, boolean isSynced) {
        if (made.values("refs/heads/main").contains("0".repeat(40))) {
            return "false invalid: zero object id for refs/heads/main";
        }
        var pool = pool(made.identifier());
        if (pool.isEmpty()) {
            return "false invalid: no announcement exists for this repository";
        }
        var owners = hosted(made.identifier(), found -> !isOver(found));
        if (owners.stream().noneMatch(owner -> pool.of(owner).contains(made.author()))) {
            return "false restricted: author not authorized for this repository"
                    + cause(made.author(), owners, pool)
                            .map(text -> " (" + text + ")")
                            .orElse("");
        }
        boolean isOlder = served.values().stream()
                .anyMatch(other -> isVersion(other, made) && !isOver(other) && other.isNewerThan(made));
        if (isOlder) {
            return OLDER;
        }
        if (isSynced && expired.containsKey(made.id())) {
            return EXPIRED;
        }
        var own = held.values().stream()
                .map(Entry::made)
                .filter(other -> isVersion(other, made))
                .sorted((a, b) -> a.isNewerThan(b) ? 1 : -1)
                .toList();
        if (own.size() >= STATES_PER_AUTHOR) { // P-112
            if (!made.isNewerThan(own.getFirst())) {
                return FULL;
            }
            held.remove(own.getFirst().id());
        }
        return change(Cause.OTHER, () -> {
            var answer = hold(made, Phase.NONE, isSynced);
            keepAnnouncements(made, true);
            return answer;
        });
    }

    /// The table of service 4.2.
    private Optional<String> cause(String author, SortedSet<String> owners, SpecifiedSets pool) {
        if (owners.isEmpty()) {
            return Optional.empty();
        }
        if (pool.find(author).filter(reading -> !reading.isActive()).isPresent()) {
            return Optional.of("you have ended your own role");
        }
        if (owners.contains(author) && pool.of(author).failure().isPresent()) {
            return pool.of(author).failure();
        }
        for (var owner : owners) {
            var inviter = pool.of(owner).invited().get(author);
            if (inviter != null) {
                return Optional.of("invited by " + SpecifiedSets.npub(inviter)
                        + ": announce this repository and list them to accept");
            }
        }
        if (owners.contains(author)) {
            return Optional.of(
                    "lead " + SpecifiedSets.npub(pool.of(author).root().orElseThrow()) + " does not list you");
        }
        boolean isEverySetEmpty =
                owners.stream().allMatch(owner -> pool.of(owner).members().isEmpty());
        return isEverySetEmpty ? pool.of(owners.first()).failure() : Optional.empty();
    }

    // ---- proposals (service 4.6)

    private String propose(Made made, boolean isSynced) {
        if (made.first("c").isEmpty()) {
            return "false invalid: no c tag";
        }
        var targets = targets(made);
        if (targets.isEmpty()) {
            return "false invalid: no repository named";
        }
        boolean isNamed = targets.stream()
                .anyMatch(target ->
                        pool(target.substring(65)).find(target.substring(0, 64)).isPresent());
        if (!isNamed && !isRelated(made)) {
            return UNRELATED;
        }
        return isSynced && expired.containsKey(made.id())
                ? EXPIRED
                : change(Cause.OTHER, () -> hold(made, Phase.NONE, isSynced));
    }

    // ---- related events (service 4.7)

    private String related(Made made) {
        boolean isOlder = served.values().stream()
                .anyMatch(other -> isVersion(other, made) && !isOver(other) && other.isNewerThan(made));
        return isOlder ? OLDER : change(Cause.OTHER, () -> serve(made));
    }

    private boolean isRelated(Made made) {
        return served.values().stream()
                .filter(anchor -> !isOver(anchor)
                        && !Set.of(0, Kinds.DELETION, Kinds.VANISH, 10_002, Kinds.GRASP_LIST)
                                .contains(anchor.kind()))
                .anyMatch(anchor -> made.values("e", "E", "q").contains(anchor.id())
                        || anchor.address()
                                .filter(made.values("a", "A", "q")::contains)
                                .isPresent()
                        || anchor.values("e", "E", "q").contains(made.id())
                        || made.address()
                                .filter(anchor.values("a", "A", "q")::contains)
                                .isPresent());
    }

    // ---- deletion (service 4.9.1)

    private String delete(Made request) {
        boolean isKnown = Stream.concat(
                        served.values().stream(), held.values().stream().map(Entry::made))
                .anyMatch(made -> made.author().equals(request.author()));
        if (!isKnown) {
            forgetOld(request.author());
            if (gates.stream().noneMatch(gate -> gate.made().id().equals(request.id()))) {
                gates.add(new Gate(request, now));
            }
            return SERVED;
        }
        return change(Cause.OTHER, () -> serve(request));
    }

    // ---- time (purgatory 2.5, service 4.9, 4.10)

    void advance(Duration time) {
        now += time.toMillis();
    }

    long now() {
        return now;
    }

    void sweep() {
        for (var entry : due(kind -> kind == Kinds.ANNOUNCEMENT)) {
            var made = entry.made();
            if (!held.containsKey(made.id())) {
                continue;
            }
            if (isOver(made)) {
                change(Cause.OTHER, () -> drop(made, false));
            } else if (entry.phase() == Phase.ACTIVE) {
                held.put(made.id(), new Entry(made, Phase.SOFT_EXPIRED, entry.source(), now + SOFT.toMillis()));
            } else {
                change(Cause.TIME, () -> drop(made, true));
            }
        }
        for (var entry : due(kind -> kind != Kinds.ANNOUNCEMENT)) {
            drop(entry.made(), !isOver(entry.made()));
        }
        expired.values().removeIf(time -> time <= now - MEMORY.toMillis());
    }

    private List<Entry> due(Predicate<Integer> kind) {
        return held.values().stream()
                .filter(entry -> kind.test(entry.made().kind())
                        && (isOver(entry.made()) || (entry.phase() != Phase.REFERENCE && entry.deadline() <= now)))
                .sorted(Comparator.comparing(entry -> entry.made().author()))
                .toList();
    }

    private String drop(Made made, boolean isRemembered) {
        held.remove(made.id());
        if (isRemembered) {
            expired.put(made.id(), now);
        }
        return "";
    }

    /// What the store does each minute.
    void removeOver() {
        change(Cause.OTHER, () -> {
            served.values().removeIf(this::isOver);
            return "";
        });
        gates.removeIf(this::isOver);
    }

    /// What is done each day and at start-up.
    void cleanUp() {
        long oldest = now - RETENTION.toMillis();
        for (var entry : List.copyOf(repositories.entrySet())) {
            if (entry.getValue().standing() != Standing.HOSTED
                    && entry.getValue().since() < oldest) {
                change(Cause.WITHDRAWAL_ENDED, () -> {
                    repositories.remove(entry.getKey());
                    return "";
                });
            }
        }
        trash.removeIf(entry -> entry.since() < oldest);
    }

    // ---- git data

    /// A push brought the data of a held state of a repository (A10, S9, S10).
    void push(Optional<Made> announcement, Made state) {
        change(Cause.OTHER, () -> {
            announcement.ifPresent(made -> {
                held.remove(made.id());
                repositories.put(key(made), new Repository(Standing.HOSTED, now));
                serve(made);
            });
            held.remove(state.id());
            serve(state);
            held.values().removeIf(entry -> isVersion(entry.made(), state) && state.isNewerThan(entry.made()));
            return "";
        });
    }

    /// A proposal's commit came.
    void release(Made proposal) {
        change(Cause.OTHER, () -> {
            held.remove(proposal.id());
            return serve(proposal);
        });
    }

    /// Held states that a push to a repository could realise now.
    List<Made> pushable(String owner, String identifier) {
        var set = pool(identifier).of(owner);
        return held.values().stream()
                .map(Entry::made)
                .filter(made -> made.kind() == Kinds.STATE
                        && made.identifier().equals(identifier)
                        && !made.isEmptyState()
                        && !isOver(made)
                        && set.contains(made.author())
                        && served.values().stream()
                                .noneMatch(other -> isVersion(other, made) && other.isNewerThan(made)))
                .toList();
    }

    /// Held proposals for a repository that is served.
    List<Made> releasable() {
        return held.values().stream()
                .map(Entry::made)
                .filter(made -> made.isProposal()
                        && !isOver(made)
                        && targets(made).stream().anyMatch(this::isCarried))
                .toList();
    }
}
