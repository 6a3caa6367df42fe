package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.purgatory.pool.SpecifiedSets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What follows when a naive server serves something or lets it go (relay 4.5, 4.7, service 4.9, purgatory
/// 2.2). What follows from a change of announcements is found by comparing two pictures of them.
class NaiveAftermath extends NaivePlace {
    NaiveAftermath(MaintainerModel model, long now) {
        super(model, now);
    }

    /// Service 4.1.5, relay 4.10. A gate that blocks something becomes an ordinary request.
    Optional<String> obstacle(Made made) {
        var vanish = vanished.get(made.author());
        if (vanish != null && made.createdAt() <= vanish.createdAt()) {
            boolean isRival = made.kind() == Kinds.VANISH && made.createdAt() == vanish.createdAt();
            if (!isRival) {
                return Optional.of(VANISHED);
            }
            if (!made.isNewerThan(vanish)) {
                return Optional.of(OLDER);
            }
        }
        if (made.kind() == Kinds.DELETION || made.kind() == Kinds.VANISH) {
            return Optional.empty();
        }
        boolean isBuried = tombstones.containsKey(made.author() + " " + made.id())
                || made.address()
                        .filter(address -> tombstones.getOrDefault(address, Long.MIN_VALUE) >= made.createdAt())
                        .isPresent();
        var blocking = gates.stream()
                .filter(gate -> !isOver(gate) && covers(gate.made(), made))
                .toList();
        for (var gate : blocking) {
            if (gates.remove(gate)) {
                change(Cause.OTHER, () -> serve(gate.made()));
            }
        }
        return isBuried || !blocking.isEmpty() ? Optional.of(DELETED) : Optional.empty();
    }

    static boolean covers(Made request, Made made) {
        return request.author().equals(made.author())
                && (request.values("e").contains(made.id())
                        || (made.createdAt() <= request.createdAt()
                                && made.address()
                                        .filter(request.values("a")::contains)
                                        .isPresent()));
    }

    // ---- deletion (service 4.9, relay 4.5 and 4.7)

    /// Serves an event with what it does to others (relay 4.10, 8).
    String serve(Made made) {
        served.values().removeIf(other -> isVersion(other, made));
        served.put(made.id(), made);
        expired.remove(made.id());
        if (made.kind() == Kinds.DELETION) {
            execute(made);
        } else if (made.kind() == Kinds.VANISH) {
            vanish(made);
        }
        openGates(made.author());
        return SERVED;
    }

    void execute(Made request) {
        made(request.values("e"), request.author() + " ", request);
        made(
                request.values("a").stream()
                        .filter(address -> address.split(":", 3)[1].equals(request.author()))
                        .toList(),
                "",
                request);
        Predicate<Made> isHit =
                made -> made.kind() != Kinds.DELETION && made.kind() != Kinds.VANISH && covers(request, made);
        served.values().removeIf(isHit);
        held.values().removeIf(entry -> isHit.test(entry.made()));
    }

    void made(List<String> targets, String prefix, Made request) {
        targets.forEach(target -> tombstones.merge(prefix + target, request.createdAt(), Math::max));
    }

    void vanish(Made request) {
        Predicate<Made> isHit = made -> made.author().equals(request.author())
                && made.createdAt() <= request.createdAt()
                && !made.id().equals(request.id());
        served.values().removeIf(isHit);
        held.values().removeIf(entry -> isHit.test(entry.made()));
        gates.removeIf(gate -> isHit.test(gate.made()));
        trash.removeIf(entry -> isHit.test(entry.made()));
        tombstones
                .entrySet()
                .removeIf(
                        entry -> entry.getKey().contains(request.author()) && entry.getValue() <= request.createdAt());
        repositories
                .entrySet()
                .removeIf(entry -> entry.getKey().startsWith(request.author())
                        && entry.getValue().standing() == Standing.TRASHED);
        vanished.put(request.author(), request);
    }

    /// What is served in the end must not depend on what came first (relay 4.11): once its author has
    /// something here, a request is an ordinary one.
    void openGates(String author) {
        forgetOld(author);
        for (var gate : List.copyOf(gates)) {
            if (gate.made().author().equals(author) && gates.remove(gate)) {
                serve(gate.made());
            }
        }
    }

    /// Gates whose time is over are nothing any more, swept or not.
    void forgetOld(String author) {
        gates.removeIf(gate -> gate.made().author().equals(author) && isOver(gate));
    }

    // ---- what follows (service 4.9.6, P-214, P-230)

    /// Who had a hosted repository, who carried events, and all sets, of one identifier.
    record Picture(
            Set<String> hosted,
            Set<String> carrying,
            Map<String, SpecifiedSets.Resolved> sets,
            Set<String> trashed,
            Map<String, Made> served,
            Set<String> held) {
        SpecifiedSets.Resolved setOf(String owner) {
            return Objects.requireNonNull(sets.get(owner));
        }
    }

    Picture picture(String identifier) {
        var pool = pool(identifier, _ -> true);
        var sets = new TreeMap<String, SpecifiedSets.Resolved>();
        var trashed = new TreeSet<String>();
        for (var person : GraspWorld.people()) {
            sets.put(person, pool.of(person));
            var repository = repositories.get(person + ":" + identifier);
            if (repository != null && repository.standing() == Standing.TRASHED) {
                trashed.add(person);
            }
        }
        var announced = new TreeMap<String, Made>();
        GraspWorld.people()
                .forEach(person -> servedOf(person, identifier).ifPresent(made -> announced.put(person, made)));
        return new Picture(
                hosted(identifier, _ -> true),
                carrying(identifier),
                sets,
                trashed,
                announced,
                new TreeSet<>(held.keySet()));
    }

    interface Act {
        String run();
    }

    String change(Cause cause, Act act) {
        var before = GraspWorld.IDENTIFIERS.stream().map(this::picture).toList();
        var targetsBefore = new TreeMap<String, List<String>>();
        served.values().stream().filter(Made::isProposal).forEach(made -> targetsBefore.put(made.id(), targets(made)));
        var answer = act.run();
        for (int i = 0; i < before.size(); i++) {
            follow(GraspWorld.IDENTIFIERS.get(i), before.get(i), targetsBefore, cause);
        }
        if (settleReferences(cause)) {
            change(cause, () -> "");
        }
        prolong();
        return answer;
    }

    /// P-215: no held announcement ends before a state that names something and that it authorises, or its
    /// author's own.
    private void prolong() {
        for (var entry : List.copyOf(held.values())) {
            var made = entry.made();
            if (made.kind() == Kinds.ANNOUNCEMENT && entry.phase() != Phase.REFERENCE && !isOver(made)) {
                var set = pool(made.identifier()).of(made.author());
                held.values().stream()
                        .filter(state -> state.made().kind() == Kinds.STATE
                                && !state.made().isEmptyState()
                                && state.made().identifier().equals(made.identifier())
                                && (set.contains(state.made().author())
                                        || state.made().author().equals(made.author())))
                        .mapToLong(Entry::deadline)
                        .max()
                        .ifPresent(deadline -> held.put(
                                made.id(),
                                new Entry(made, entry.phase(), entry.source(), Math.max(entry.deadline(), deadline))));
            }
        }
    }

    void follow(String identifier, Picture before, Map<String, List<String>> targetsBefore, Cause cause) {
        boolean isForGood = cause == Cause.VANISH || cause == Cause.WITHDRAWAL_ENDED;
        for (var person : GraspWorld.people()) {
            var key = person + ":" + identifier;
            var repository = repositories.get(key);
            boolean isBereft = repository != null
                    && repository.standing() != Standing.TRASHED
                    && servedOf(person, identifier).isEmpty();
            if (isBereft && isForGood) {
                repositories.remove(key);
            } else if (isBereft) {
                repositories.put(
                        key,
                        new Repository(
                                Standing.TRASHED,
                                now,
                                Optional.ofNullable(before.served().get(person))));
            }
        }
        var after = picture(identifier);
        for (var owner : before.carrying()) {
            if (!after.carrying().contains(owner)) {
                takeOut(identifier, owner, before, after, targetsBefore, isForGood);
            }
        }
        for (var owner : after.carrying()) {
            if (before.trashed().contains(owner)) {
                boolean isAnother = before.held()
                        .contains(servedOf(owner, identifier).orElseThrow().id());
                bringBack(identifier, owner, after, isAnother);
            }
        }
        for (var owner : before.hosted()) {
            if (!after.hosted().contains(owner) && !after.carrying().contains(owner)) {
                held.values()
                        .removeIf(entry -> entry.made().kind() == Kinds.STATE
                                && entry.made().identifier().equals(identifier)
                                && before.setOf(owner).contains(entry.made().author())
                                && after.hosted().stream()
                                        .noneMatch(other -> after.setOf(other)
                                                .contains(entry.made().author())));
            }
        }
    }

    void takeOut(
            String identifier,
            String owner,
            Picture before,
            Picture after,
            Map<String, List<String>> targetsBefore,
            boolean isForGood) {
        var set = before.setOf(owner);
        for (var made : List.copyOf(served.values())) {
            boolean leaves;
            if (made.kind() == Kinds.STATE && made.identifier().equals(identifier)) {
                leaves = after.carrying().isEmpty()
                        || (set.contains(made.author())
                                && after.carrying().stream()
                                        .noneMatch(other -> after.setOf(other).contains(made.author())));
            } else if (made.isProposal()) {
                var targets = targetsBefore.getOrDefault(made.id(), List.of());
                leaves = targets.stream().anyMatch(target -> isFor(target, identifier, owner, set))
                        && targets.stream().noneMatch(this::isCarried);
            } else {
                leaves = false;
            }
            if (leaves) {
                served.remove(made.id());
                if (!isForGood) {
                    trash.add(new Trashed(made, identifier, now));
                }
            }
        }
    }

    static boolean isFor(String target, String identifier, String owner, SpecifiedSets.Resolved set) {
        var person = target.substring(0, 64);
        return target.substring(65).equals(identifier) && (person.equals(owner) || set.contains(person));
    }

    boolean isCarried(String target) {
        var identifier = target.substring(65);
        var pool = pool(identifier);
        return carrying(identifier).stream().anyMatch(owner -> isFor(target, identifier, owner, pool.of(owner)));
    }

    /// @param isAnother whether what waited begins there instead of what was there before
    void bringBack(String identifier, String owner, Picture after, boolean isAnother) {
        var set = after.setOf(owner);
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (var entry : List.copyOf(trash)) {
                var made = entry.made();
                boolean returns = made.kind() == Kinds.STATE
                        ? made.identifier().equals(identifier) && set.contains(made.author())
                        : targets(made).stream().anyMatch(target -> isFor(target, identifier, owner, set));
                if (returns) {
                    trash.removeIf(other -> other.made().id().equals(made.id()));
                    boolean isOlder = served.values().stream()
                            .anyMatch(other -> isVersion(other, made) && !isOver(other) && other.isNewerThan(made));
                    if (!isAnother
                            && !held.containsKey(made.id())
                            && !isOver(made)
                            && obstacle(made).isEmpty()
                            && !isOlder) {
                        serve(made);
                    }
                    isMore = true;
                }
            }
        }
    }

    boolean settleReferences(Cause cause) {
        for (var entry : List.copyOf(held.values())) {
            if (entry.phase() != Phase.REFERENCE) {
                continue;
            }
            if (!isOver(entry.made()) && isNamed(entry.made(), served.values().stream())) {
                held.remove(entry.made().id());
                change(cause, () -> serve(entry.made()));
                return true;
            }
            if (!isNamedByAny(entry.made(), grounded(entry.made(), _ -> true).stream())) {
                held.remove(entry.made().id());
                if (cause == Cause.TIME) {
                    expired.put(entry.made().id(), now);
                }
                return true;
            }
        }
        return false;
    }
}
