package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.purgatory.pool.SpecifiedSets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Everything a naive server knows: a few maps, and what can be read from them by going through all there
/// is.
class NaivePlace {
    static final Duration EXPIRY = Duration.ofMinutes(30);
    static final Duration SOFT = Duration.ofDays(1);
    static final Duration MEMORY = Duration.ofDays(7);
    static final Duration RETENTION = Duration.ofDays(90);
    static final Duration GATE = Duration.ofDays(30);
    static final int STATES_PER_AUTHOR = 3;

    /// What else there is of a held announcement.
    enum Phase {
        ACTIVE,
        SOFT_EXPIRED,
        REFERENCE,
        NONE
    }

    /// What a repository is.
    enum Standing {
        HOSTED,
        WITHDRAWN,
        TRASHED
    }

    /// A held event; a reference has no deadline.
    record Entry(Made made, Phase phase, String source, long deadline) {}

    /// @param left the announcement with which it went into the trash
    record Repository(Standing standing, long since, Optional<Made> left) {
        Repository(Standing standing, long since) {
            this(standing, since, Optional.empty());
        }
    }

    record Trashed(Made made, String identifier, long since) {}

    record Gate(Made made, long since) {}

    /// Why an announcement goes, as far as that makes a difference.
    enum Cause {
        TIME,
        VANISH,
        WITHDRAWAL_ENDED,
        OTHER
    }

    static final String HELD = "true purgatory: won't be served until git data arrives";
    static final String SERVED = "true ";
    static final String IN_PURGATORY = "true duplicate: in purgatory";
    static final String OLDER = "false duplicate: have a newer version";
    static final String EXPIRED = "false invalid: previously expired from purgatory without git data";
    static final String UNRELATED = "false restricted: event must reference an accepted repository or accepted event";
    static final String DELETED = "false blocked: deletion of this event was requested by its author";
    static final String VANISHED = "false blocked: its author asked this relay to forget everything up to a later date";
    static final String FULL = "false rate-limited: purgatory is full";

    final MaintainerModel model;
    final Map<String, Made> served = new TreeMap<>();
    final Map<String, Entry> held = new TreeMap<>();
    /// By `owner:identifier`.
    final Map<String, Repository> repositories = new TreeMap<>();

    final List<Trashed> trash = new ArrayList<>();
    final Map<String, Long> expired = new TreeMap<>();
    final List<Gate> gates = new ArrayList<>();
    /// By `author id` or by address: the date of the newest request.
    final Map<String, Long> tombstones = new TreeMap<>();

    final Map<String, Made> vanished = new TreeMap<>();
    long now;

    NaivePlace(MaintainerModel model, long now) {
        this.model = model;
        this.now = now;
    }

    // ---- what is to be seen

    Set<String> visible() {
        var ids = new TreeSet<String>();
        served.values().stream().filter(made -> !isOver(made)).forEach(made -> ids.add(made.id()));
        return ids;
    }

    Set<String> remembered() {
        return new TreeSet<>(expired.keySet());
    }

    Set<String> trashed() {
        var ids = new TreeSet<String>();
        trash.forEach(entry -> ids.add(entry.made().id()));
        return ids;
    }

    Set<String> gated() {
        var ids = new TreeSet<String>();
        gates.forEach(gate -> ids.add(gate.made().id()));
        return ids;
    }

    /// The repositories that are there (P-111, service 2.4.7).
    Set<String> present() {
        var present = new TreeSet<String>();
        repositories.forEach((key, repository) -> {
            if (repository.standing() != Standing.TRASHED) {
                present.add(key);
            }
        });
        held.values().stream()
                .filter(entry -> entry.phase() == Phase.ACTIVE)
                .forEach(entry -> present.add(key(entry.made())));
        return present;
    }

    boolean isOver(Made made) {
        return made.isExpiredAt(second());
    }

    boolean isOver(Gate gate) {
        return gate.since() <= now - GATE.toMillis();
    }

    long second() {
        return Math.floorDiv(now, 1000L);
    }

    static String key(Made announcement) {
        return announcement.author() + ":" + announcement.identifier();
    }

    // ---- announcements that are here

    Stream<Made> announcements(String identifier, Predicate<Made> isHeard) {
        return Stream.concat(served.values().stream(), held.values().stream().map(Entry::made))
                .filter(made -> made.kind() == Kinds.ANNOUNCEMENT
                        && made.identifier().equals(identifier)
                        && isHeard.test(made));
    }

    /// P of service 5.1.2.
    SpecifiedSets pool(String identifier, Predicate<Made> isHeard) {
        var newest = new TreeMap<String, Made>();
        announcements(identifier, isHeard)
                .forEach(made -> newest.merge(made.author(), made, (a, b) -> a.isNewerThan(b) ? a : b));
        var sets = new SpecifiedSets(model);
        newest.values().forEach(made -> sets.put(made.author(), made.tags()));
        return sets;
    }

    SpecifiedSets pool(String identifier) {
        return pool(identifier, made -> !isOver(made));
    }

    Optional<Made> servedOf(String author, String identifier) {
        return served.values().stream()
                .filter(made -> made.kind() == Kinds.ANNOUNCEMENT
                        && made.author().equals(author)
                        && made.identifier().equals(identifier))
                .findFirst();
    }

    Optional<Entry> heldOf(String author, String identifier) {
        return held.values().stream()
                .filter(entry -> entry.made().kind() == Kinds.ANNOUNCEMENT
                        && entry.made().author().equals(author)
                        && entry.made().identifier().equals(identifier))
                .findFirst();
    }

    /// Owners of hosted repositories: served or held, soft-expired or not, neither reference nor withdrawn.
    SortedSet<String> hosted(String identifier, Predicate<Made> isHeard) {
        var owners = new TreeSet<String>();
        repositories.forEach((key, repository) -> {
            var owner = key.substring(0, 64);
            if (key.substring(65).equals(identifier)
                    && repository.standing() == Standing.HOSTED
                    && servedOf(owner, identifier).filter(isHeard).isPresent()) {
                owners.add(owner);
            }
        });
        held.values().stream()
                .filter(entry -> entry.made().kind() == Kinds.ANNOUNCEMENT
                        && entry.made().identifier().equals(identifier)
                        && entry.phase() != Phase.REFERENCE
                        && isHeard.test(entry.made()))
                .forEach(entry -> owners.add(entry.made().author()));
        return owners;
    }

    /// Owners of repositories that can be read and whose announcement is served (service 4.9.6).
    SortedSet<String> carrying(String identifier) {
        var owners = new TreeSet<String>();
        repositories.forEach((key, repository) -> {
            var owner = key.substring(0, 64);
            if (key.substring(65).equals(identifier)
                    && repository.standing() != Standing.TRASHED
                    && servedOf(owner, identifier).isPresent()) {
                owners.add(owner);
            }
        });
        return owners;
    }

    static boolean isVersion(Made one, Made other) {
        return one.address().isPresent() && one.address().equals(other.address());
    }

    /// Service 4.4.4: listed, or named as moderator, by somebody else's announcement of this identifier.
    /// Announcements of others by which somebody can be named: served ones, held ones with a repository,
    /// and references that are here for the sake of such. What the author of this one has waiting itself
    /// does not count.
    List<Made> grounded(Made made, Predicate<Made> counts) {
        var grounded = new ArrayList<>(served.values().stream().filter(counts).toList());
        var references = new ArrayList<Made>();
        for (var entry : held.values()) {
            boolean isOwn = entry.made().author().equals(made.author())
                    && entry.made().identifier().equals(made.identifier());
            if (!isOwn && counts.test(entry.made()) && entry.made().kind() == Kinds.ANNOUNCEMENT) {
                (entry.phase() == Phase.REFERENCE ? references : grounded).add(entry.made());
            }
        }
        for (boolean isMore = true; isMore; ) {
            var named = references.stream()
                    .filter(reference -> isNamedByAny(reference, grounded.stream()))
                    .toList();
            grounded.addAll(named);
            isMore = references.removeAll(named);
        }
        return grounded;
    }

    boolean isNamed(Made made, Stream<Made> by) {
        return isNamedByAny(made, by.filter(other -> !isOver(other)));
    }

    static boolean isNamedByAny(Made made, Stream<Made> by) {
        return by.anyMatch(other -> {
            if (other.kind() != Kinds.ANNOUNCEMENT
                    || other.author().equals(made.author())
                    || !other.identifier().equals(made.identifier())) {
                return false;
            }
            var reading = SpecifiedSets.Reading.of(other.author(), other.tags());
            return reading.listed().contains(made.author())
                    || reading.moderators().contains(made.author());
        });
    }

    /// The repositories a proposal is for, as `owner:identifier`.
    List<String> targets(Made proposal) {
        var own = coordinates(proposal);
        return own.isEmpty()
                ? proposal.values("E", "e").stream()
                        .map(id -> Optional.ofNullable(served.get(id))
                                .filter(made -> !isOver(made))
                                .or(() -> Optional.ofNullable(held.get(id)).map(Entry::made)))
                        .flatMap(Optional::stream)
                        .filter(Made::isProposal)
                        .map(NaivePlace::coordinates)
                        .filter(found -> !found.isEmpty())
                        .findFirst()
                        .orElse(List.of())
                : own;
    }

    static List<String> coordinates(Made proposal) {
        return proposal.values("a").stream()
                .filter(text -> text.startsWith("30617:"))
                .map(text -> text.substring(6))
                .toList();
    }
}
