package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.purgatory.DropReason;
import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Voice;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Announcements (service 4.4, purgatory 2.2).
final class AnnouncementRule {
    private final AcceptanceRules rules;
    private final Pools pools;

    AnnouncementRule(AcceptanceRules rules, Pools pools) {
        this.rules = rules;
        this.pools = pools;
    }

    Verdict judge(Arrival arrival, StoreView view) {
        return switch (Announcement.parse(arrival.event())) {
            case Parsed.Invalid<Announcement>(var reason) -> Verdict.refuse(Refusal.invalid(reason));
            case Parsed.Valid<Announcement>(var announcement) -> judge(announcement, arrival, view);
        };
    }

    private Verdict judge(Announcement announcement, Arrival arrival, StoreView view) {
        if (announcement.isPrivate()) {
            return Verdict.refuse(Refusals.blocked("repository is marked private, this service is public"));
        }
        var blacklisted = rules.lists().findRefusal(announcement.address());
        if (blacklisted.isPresent()) {
            return Verdict.refuse(Refusals.blocked(blacklisted.get()));
        }
        var pool = pools.seenBy(view, announcement.identifier());
        var own = pool.findAnnounced(announcement.owner());
        var newer = Stream.concat(own.stream(), findOnline(announcement, view).stream())
                .flatMap(entry -> findNewer(announcement, entry))
                .collect(Collectors.toSet());
        if (!newer.isEmpty()) {
            boolean isServed = newer.contains(Cause.SUPERSEDED);
            return Verdict.refuse(Refusals.OLDER, isServed ? Cause.SUPERSEDED : Cause.SUPERSEDED_BY_HELD);
        }
        return new Case(announcement, arrival, view, pool, own).judge();
    }

    /// What its author has here of which the repository can be read: also if its time is over and it has
    /// not been taken out yet. Until then an older version would find that repository and bring it back.
    private Optional<Announced> findOnline(Announcement announcement, StoreView view) {
        return pools.known(view, announcement.identifier())
                .findAnnounced(announcement.owner())
                .filter(entry ->
                        entry.standing().filter(Standing.Phase::isOnline).isPresent());
    }

    private static Stream<Cause> findNewer(Announcement announcement, Announced own) {
        var event = announcement.event();
        var served = own.served().map(Voice::version).filter(event::isOlderThan);
        var held = own.held().map(HeldVoice::voice).map(Voice::version).filter(event::isOlderThan);
        return Stream.concat(
                served.map(_ -> Cause.SUPERSEDED).stream(), held.map(_ -> Cause.SUPERSEDED_BY_HELD).stream());
    }

    /// One announcement that is newer than whatever its author has here.
    private final class Case {
        private final Announcement announcement;
        private final Arrival arrival;
        private final StoreView view;
        private final Pool pool;
        private final Optional<Voice> served;
        private final Optional<HeldVoice> held;
        private final Optional<Standing.Phase> standing;
        private final long namedBefore;

        Case(Announcement announcement, Arrival arrival, StoreView view, Pool pool, Optional<Announced> own) {
            this.announcement = announcement;
            this.arrival = arrival;
            this.view = view;
            this.pool = pool;
            this.served = own.flatMap(Announced::served);
            this.held = own.flatMap(Announced::held);
            this.standing = own.flatMap(Announced::standing);
            this.namedBefore = own.map(Announced::keysNamed).orElse(0L);
        }

        /// Service 4.4.3, the first match decides.
        Verdict judge() {
            var lists = rules.lists();
            boolean isAllowed = lists.isAllowed(announcement.address());
            boolean listsUs = ListsService.judge(announcement, rules.service());
            if (!lists.isReadOnly() && listsUs && isAllowed) {
                return judgeHosted();
            }
            if (lists.archive().matches(announcement)) {
                return judgeHosted();
            }
            return judgeReference().or(this::judgeWithdrawal).orElseGet(() -> refuse(listsUs, isAllowed));
        }

        // ---- hosted

        private Verdict judgeHosted() {
            if (isOnline()) {
                return namesTooMany()
                        ? Verdict.refuse(HeldLimits.FULL, Cause.TRANSIENT)
                        : serve(Standing.hosted(announcement.address(), now()));
            }
            if (ExpiredMemory.refuses(arrival, view)) {
                return Verdict.refuse(Refusals.EXPIRED, Cause.EXPIRED);
            }
            if (isFull()) {
                return Verdict.refuse(HeldLimits.FULL, Cause.TRANSIENT);
            }
            var ground = arrival.grounds().get(announcement.address());
            boolean isTrashed =
                    standing.filter(found -> found == Standing.Phase.TRASHED).isPresent();
            boolean returns = isTrashed && !isOlderThanWhatLeft();
            if (ground == null && returns) {
                return Verdict.restore(announcement.address());
            }
            boolean hasRepository = ground != null
                    || held.filter(voice -> voice.phase() == Phase.ACTIVE).isPresent();
            if (!hasRepository) {
                return Verdict.prepare(List.of(announcement.address()));
            }
            return ground == Ground.RESTORED && (returns || !isTrashed)
                    ? serve(Standing.hosted(announcement.address(), now()))
                    : hold(Phase.ACTIVE);
        }

        /// Whether it is older than the announcement with which a repository went into the trash: whoever
        /// kept it must not undo what its author did since (service 4.9.5).
        private boolean isOlderThanWhatLeft() {
            return view.findRow(Table.REPOSITORIES, RowKeys.repository(announcement.address()))
                    .filter(row -> ((Standing) row).isAfter(announcement.event().version()))
                    .isPresent();
        }

        /// Whether its repository is here: then content is proven. That is so even if the served
        /// announcement expired a moment ago: then its repository has not gone offline yet.
        private boolean isOnline() {
            return standing.filter(Standing.Phase::isOnline).isPresent();
        }

        private boolean isFull() {
            return (held.isEmpty() && hasNoRoom()) || namesTooMany();
        }

        private boolean hasNoRoom() {
            var limits = rules.limits();
            var prefix = RowKeys.repositoriesOf(announcement.owner());
            return view.count(Table.HELD_ANNOUNCEMENTS) >= share(limits.announcements())
                    || view.countRows(Table.HELD_ANNOUNCEMENTS, prefix, limits.announcementsPerOwner())
                            >= limits.announcementsPerOwner();
        }

        /// Whom announcements name is kept in memory, so it is bounded. Those it would replace do not count.
        private boolean namesTooMany() {
            var roster = announcement.roster();
            long names = (long) roster.listed().size()
                    + roster.leads().size()
                    + roster.moderators().size();
            long more = names - namedBefore;
            return names > HeldLimits.KEYS_ALWAYS
                    && (pool.tally().keysNamed() + more > share(HeldLimits.KEYS_PER_IDENTIFIER)
                            || pools.total().keysNamed() + more
                                    > share(rules.limits().keysNamed()));
        }

        private long share(long limit) {
            return HeldLimits.share(limit, arrival);
        }

        private Verdict serve(Standing newStanding) {
            var effects = new ArrayList<Effect>();
            effects.add(new Effect.Put(newStanding));
            held.ifPresent(voice -> effects.add(drop(voice, DropReason.SUPERSEDED)));
            return new Verdict.Serve(effects);
        }

        private Verdict hold(Phase phase) {
            var time = pools.time();
            long deadline = time.after(rules.expiry());
            var source = arrival.isSynced() ? Source.SYNC : Source.DIRECT;
            var row = new HeldAnnouncement(announcement.event(), time.wall(), time.wallAt(deadline), source, phase);
            var effects = new ArrayList<Effect>();
            if (phase == Phase.ACTIVE && isGone()) {
                effects.add(new Effect.Forget(announcement.address()));
            }
            if (held.isPresent() && phase == Phase.ACTIVE) {
                effects.addAll(extendStates(deadline));
            }
            return new Verdict.Hold(row, effects);
        }

        /// Whether a repository was made for it because nothing is left of what it was.
        private boolean isGone() {
            boolean isOffline = standing.filter(found -> !found.isOnline()).isPresent();
            boolean wasMade = arrival.grounds().containsKey(announcement.address());
            return isOffline
                    && wasMade
                    && (standing.filter(found -> found == Standing.Phase.DOOMED).isPresent() || !isOlderThanWhatLeft());
        }

        /// States that this version authorises and that would end before it does (A3), with what must last
        /// as long as they.
        private Collection<Effect> extendStates(long deadline) {
            if (pool.states().isEmpty()) {
                return List.of();
            }
            var time = pools.time();
            var voice = new HeldVoice(Voice.of(announcement), Phase.ACTIVE, Source.DIRECT, deadline);
            var entry = new Announced(announcement.owner(), served, Optional.of(voice), standing, false);
            var changed = pool.with(entry);
            var effects = new ArrayList<Effect>();
            var authors = new TreeSet<PublicKey>();
            for (var state : pool.states()) {
                if (state.deadline() < deadline && changed.isMember(state.author(), announcement.owner())) {
                    effects.add(new Effect.Amend(state.id(), state.terms(deadline, time)));
                    if (!state.isEmpty()) {
                        authors.add(state.author());
                    }
                }
            }
            if (!authors.isEmpty()) {
                effects.addAll(Lifetimes.extend(changed.keptBy(authors), deadline, time));
            }
            return effects;
        }

        // ---- reference

        /// Service 4.4.4.
        private Optional<Verdict> judgeReference() {
            var author = Set.of(announcement.owner());
            boolean isNamedByServed = !pool.namedByServed(author).isEmpty();
            boolean isReference = served.isPresent() && !isOnline();
            if (!isNamedByServed && !isReference) {
                return isOnline() || pool.named(author).isEmpty() ? Optional.empty() : Optional.of(holdReference());
            }
            if (namesTooMany()) {
                return Optional.of(Verdict.refuse(HeldLimits.FULL, Cause.TRANSIENT));
            }
            return Optional.of(isOnline() ? withdraw() : new Verdict.Serve(dropHeld()));
        }

        private Verdict holdReference() {
            if (ExpiredMemory.refuses(arrival, view)) {
                return Verdict.refuse(Refusals.EXPIRED, Cause.EXPIRED);
            }
            return isFull() ? Verdict.refuse(HeldLimits.FULL, Cause.TRANSIENT) : hold(Phase.REFERENCE);
        }

        private List<Effect> dropHeld() {
            return held.stream()
                    .map(voice -> drop(voice, DropReason.SERVICE_CHANGE))
                    .toList();
        }

        // ---- withdrawal

        /// Service 4.4.5.
        private Optional<Verdict> judgeWithdrawal() {
            if (isOnline()) {
                return Optional.of(namesTooMany() ? Verdict.refuse(HeldLimits.FULL, Cause.TRANSIENT) : withdraw());
            }
            return held.filter(HeldVoice::isHosted)
                    .map(_ -> new Verdict.Refuse(
                            Refusals.blocked("announcement no longer lists this service"),
                            Cause.DOES_NOT_LIST_SERVICE,
                            dropHeld()));
        }

        /// Withdrawing again does not begin the time anew.
        private Verdict withdraw() {
            var effects = new ArrayList<>(dropHeld());
            if (standing.filter(found -> found == Standing.Phase.WITHDRAWN).isEmpty()) {
                effects.add(new Effect.Put(Standing.withdrawn(announcement.address(), now())));
            }
            return new Verdict.Serve(effects);
        }

        // ---- refusal

        private Verdict refuse(boolean listsUs, boolean isAllowed) {
            String reason;
            if (rules.lists().isReadOnly()) {
                reason = "this service is a read-only archive of other repositories";
            } else if (listsUs && !isAllowed) {
                reason = "repository is not on the whitelist of this service";
            } else {
                reason = "announcement must list this service in both 'clone' and 'relays' tags";
            }
            var found =
                    " (clone: " + shown(announcement.cloneUrls()) + "; relays: " + shown(announcement.relays()) + ")";
            return Verdict.refuse(
                    Refusals.blocked(reason + found),
                    served.isEmpty() && held.isEmpty() ? Cause.MAINTAINER_NOT_YET_VALID : Cause.DOES_NOT_LIST_SERVICE);
        }

        private static String shown(List<String> values) {
            var some = values.stream().limit(10).map(Case::cut).collect(Collectors.joining(", "));
            return values.isEmpty() ? "none" : some + (values.size() > 10 ? ", …" : "");
        }

        private static String cut(String value) {
            int most = 200;
            if (value.length() <= most) {
                return value;
            }
            boolean insidePair = Character.isHighSurrogate(value.charAt(most - 1));
            return value.substring(0, insidePair ? most - 1 : most);
        }

        private static Effect drop(HeldVoice voice, DropReason reason) {
            return new Effect.Drop(voice.voice().version().id(), reason);
        }

        private Instant now() {
            return pools.time().wall();
        }
    }
}
