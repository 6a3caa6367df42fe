package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.LeadPath;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Roster;
import dev.grapnel.nostr.repository.RosterPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is known about one identifier: who announces it, who maintains whose repository, which states and
/// proposals wait. Immutable; a change makes another one.
///
/// Sets of maintainers are found when somebody asks and kept as long as nothing they depend on changes. An
/// array sorted by author rather than a map: nearly all identifiers have one author, and copying ten
/// thousand references takes microseconds.
public final class Pool implements RosterPool {
    private final Identifier identifier;
    private final MaintainerModel model;
    private final Announced[] announced;
    /// Beside [#announced]. Filled in by whoever comes first: a set is immutable, and two threads find
    /// equal ones.
    private final @Nullable Maintainers[] sets;

    private final List<WaitingState> states;
    private final List<WaitingProposal> proposals;
    private final Tally tally;
    /// No announcement expires before this second.
    private final long firstExpiry;

    private Pool(
            Identifier identifier,
            MaintainerModel model,
            Announced[] announced,
            @Nullable Maintainers[] sets,
            List<WaitingState> states,
            List<WaitingProposal> proposals,
            Tally tally,
            long firstExpiry) {
        this.identifier = identifier;
        this.model = model;
        this.announced = announced;
        this.sets = sets;
        this.states = states;
        this.proposals = proposals;
        this.tally = tally;
        this.firstExpiry = firstExpiry;
    }

    /// Nothing is known.
    public static Pool empty(Identifier identifier, MaintainerModel model) {
        return new Pool(
                identifier,
                model,
                new Announced[0],
                new Maintainers[0],
                List.of(),
                List.of(),
                Tally.NOTHING,
                Long.MAX_VALUE);
    }

    public Identifier identifier() {
        return identifier;
    }

    /// Everybody who announces it, ascending by key.
    public List<Announced> announced() {
        return List.of(announced);
    }

    /// What one author announces.
    public Optional<Announced> findAnnounced(PublicKey author) {
        int index = indexOf(author);
        return index < 0 ? Optional.empty() : Optional.of(announced[index]);
    }

    @Override
    public Optional<Roster> find(PublicKey author) {
        int index = indexOf(author);
        return index < 0 ? Optional.empty() : announced[index].voice().map(Voice::roster);
    }

    /// Whether anybody announces it, as far as this server listens.
    public boolean isAnnounced() {
        return Arrays.stream(announced).anyMatch(entry -> entry.voice().isPresent());
    }

    /// M(O,d): who may sign states for this owner's repository.
    public Maintainers maintainers(PublicKey owner) {
        int index = indexOf(owner);
        return index < 0 ? Maintainers.of(owner, this, model) : maintainers(index);
    }

    private Maintainers maintainers(int index) {
        var known = sets[index];
        if (known != null) {
            return known;
        }
        var found = Maintainers.of(announced[index].author(), this, model);
        if (!isAlone(index)) {
            sets[index] = found;
        }
        return found;
    }

    private boolean isAlone(int index) {
        return announced[index].voice().filter(Voice::isAlone).isPresent();
    }

    /// Whether a person is in the set of an owner. Most owners are alone, and their sets are not even made.
    private boolean isMember(PublicKey person, int index) {
        return isAlone(index)
                ? announced[index].author().equals(person)
                : maintainers(index).contains(person);
    }

    /// Whether some hosted repository takes states of this person.
    public boolean authorises(PublicKey person) {
        if (model == MaintainerModel.CONFIRMED && find(person).isEmpty()) {
            return false; // nobody is confirmed without having announced: strangers shall not cost any sets
        }
        int own = indexOf(person);
        return (own >= 0 && announced[own].isHosted() && isMember(person, own))
                || IntStream.range(0, announced.length)
                        .anyMatch(index -> announced[index].isHosted() && isMember(person, index));
    }

    /// The hosted repositories that take states of this person.
    public List<Announced> authorising(PublicKey person) {
        return IntStream.range(0, announced.length)
                .filter(index -> announced[index].isHosted() && isMember(person, index))
                .mapToObj(index -> announced[index])
                .toList();
    }

    /// Whether a repository that can be read here carries states of this person (service 4.9.6).
    public boolean carriesStatesOf(PublicKey person) {
        return IntStream.range(0, announced.length)
                .anyMatch(index -> announced[index].carries() && isMember(person, index));
    }

    /// Whether a repository that can be read here carries proposals for this owner's (service 4.6.4).
    public boolean carriesProposalsFor(PublicKey owner) {
        return IntStream.range(0, announced.length)
                .anyMatch(index -> announced[index].carries()
                        && (announced[index].author().equals(owner) || isMember(owner, index)));
    }

    /// Owners of hosted repositories, ascending.
    public List<PublicKey> hostedOwners() {
        return Arrays.stream(announced)
                .filter(Announced::isHosted)
                .map(Announced::author)
                .toList();
    }

    /// Why nobody may sign for hosted repositories, a reason for each such repository.
    public Stream<String> failures() {
        return IntStream.range(0, announced.length)
                .filter(index -> announced[index].isHosted() && !isAlone(index))
                .mapToObj(index -> switch (model) {
                    case CONFIRMED -> LeadPath.follow(announced[index].author(), this);
                    case RECURSIVE -> LeadPath.ofOwner(announced[index].author(), this);
                })
                .flatMap(path ->
                        path instanceof LeadPath.Broken(var _, var reason) ? Stream.of(reason) : Stream.empty());
    }

    /// Those who name this person, listed or as moderator, in an announcement that is served or held
    /// (service 4.4.4). A held reference counts only if it is here for the sake of something that is served
    /// or asks for a repository: otherwise references that name each other would keep each other here for
    /// ever.
    public Stream<Announced> naming(PublicKey person) {
        var naming = Arrays.stream(announced)
                .filter(entry -> !entry.author().equals(person) && entry.isNaming(person))
                .toList();
        var direct = naming.stream()
                .filter(entry -> entry.isServedNaming(person) || entry.isHeldHosted())
                .toList();
        return direct.isEmpty() && !naming.isEmpty()
                ? naming.stream().filter(groundedWithout(person)::contains)
                : direct.stream();
    }

    /// Held references that somebody names who is served or asks for a repository, directly or through
    /// others of them; what this person has waiting does not count.
    private Set<Announced> groundedWithout(PublicKey person) {
        var references = new ArrayList<Announced>();
        var grounded = new ArrayDeque<Announced>();
        for (var entry : announced) {
            boolean isOwn = entry.author().equals(person);
            if (entry.served().isPresent() || (!isOwn && entry.isHeldHosted())) {
                grounded.add(isOwn ? entry.withHeld(Optional.empty()) : entry);
            } else if (!isOwn) {
                references.add(entry);
            }
        }
        var found = new HashSet<Announced>();
        while (!grounded.isEmpty()) {
            var from = grounded.remove();
            var named = references.stream()
                    .filter(reference -> from.isNaming(reference.author()))
                    .toList();
            references.removeAll(named);
            grounded.addAll(named);
            found.addAll(named);
        }
        return found;
    }

    @Override
    public boolean mayList(PublicKey person) {
        return Arrays.stream(announced)
                .anyMatch(entry -> entry.voice()
                        .filter(voice -> voice.roster().lists(person))
                        .isPresent());
    }

    /// States that wait.
    public List<WaitingState> states() {
        return states;
    }

    /// States of one author that wait.
    public List<WaitingState> statesOf(PublicKey author) {
        return states.stream().filter(state -> state.author().equals(author)).toList();
    }

    /// Held announcements that would end before a state that they authorise, or their author's own, and
    /// that names something (P-215): each with the deadline it needs.
    public List<HeldVoice> endingTooSoon() {
        var ends = new HashMap<PublicKey, Long>();
        states.stream()
                .filter(state -> !state.isEmpty())
                .forEach(state -> ends.merge(state.author(), state.deadline(), Math::max));
        if (ends.isEmpty()) {
            return List.of();
        }
        long last = Collections.max(ends.values());
        var found = new ArrayList<HeldVoice>();
        for (int index = 0; index < announced.length; index++) {
            var held = announced[index].held().filter(HeldVoice::isHosted);
            if (held.isPresent() && held.get().deadline() < last) {
                long needed = endOfStates(index, ends);
                if (held.get().deadline() < needed) {
                    found.add(held.get().until(needed));
                }
            }
        }
        return found;
    }

    private long endOfStates(int index, Map<PublicKey, Long> ends) {
        var owner = announced[index].author();
        long own = ends.getOrDefault(owner, Long.MIN_VALUE);
        return isAlone(index) || announced[index].isMuted()
                ? own
                : maintainers(index).members().stream()
                        .mapToLong(member -> ends.getOrDefault(member, Long.MIN_VALUE))
                        .reduce(own, Math::max);
    }

    /// Proposals that wait.
    public List<WaitingProposal> proposals() {
        return proposals;
    }

    /// How much there is of everything.
    public Tally tally() {
        return tally;
    }

    boolean isNothing() {
        return announced.length == 0 && states.isEmpty() && proposals.isEmpty();
    }

    /// Those whose announcements are others in the other pool, ascending.
    List<PublicKey> differences(Pool other) {
        var authors = new ArrayList<PublicKey>();
        int here = 0;
        int there = 0;
        while (here < announced.length || there < other.announced.length) {
            int order = compareAt(here, other, there);
            var author = order <= 0 ? announced[here].author() : other.announced[there].author();
            boolean isEqual = order == 0 && announced[here].equals(other.announced[there]);
            if (!isEqual) {
                authors.add(author);
            }
            here += order <= 0 ? 1 : 0;
            there += order >= 0 ? 1 : 0;
        }
        return authors;
    }

    private int compareAt(int here, Pool other, int there) {
        if (here == announced.length) {
            return 1;
        }
        if (there == other.announced.length) {
            return -1;
        }
        return announced[here].author().compareTo(other.announced[there].author());
    }

    /// The same at a second, when what has expired by then says nothing any more.
    public Pool at(long second) {
        if (firstExpiry > second) {
            return this;
        }
        var pool = this;
        for (var entry : announced) {
            if (entry.firstExpiry() <= second) {
                pool = pool.with(entry.at(second));
            }
        }
        return pool;
    }

    /// The same, with something else announced by one author.
    public Pool with(Announced entry) {
        int index = indexOf(entry.author());
        if (index < 0) {
            return entry.isNothing() ? this : inserted(-index - 1, entry);
        }
        return entry.isNothing() ? without(index) : replaced(index, entry);
    }

    private Pool inserted(int index, Announced entry) {
        var more = new Announced[announced.length + 1];
        var moreSets = new Maintainers[announced.length + 1];
        var kept = setsWithout(entry.author());
        System.arraycopy(announced, 0, more, 0, index);
        System.arraycopy(kept, 0, moreSets, 0, index);
        more[index] = entry;
        System.arraycopy(announced, index, more, index + 1, announced.length - index);
        System.arraycopy(kept, index, moreSets, index + 1, announced.length - index);
        return new Pool(
                identifier,
                model,
                more,
                moreSets,
                states,
                proposals,
                tally.plus(Tally.of(entry)),
                Math.min(firstExpiry, entry.firstExpiry()));
    }

    private Pool replaced(int index, Announced entry) {
        var other = announced.clone();
        other[index] = entry;
        boolean saysTheSame = announced[index].voice().equals(entry.voice());
        return new Pool(
                identifier,
                model,
                other,
                saysTheSame ? sets.clone() : setsWithout(entry.author()),
                states,
                proposals,
                tally.minus(Tally.of(announced[index])).plus(Tally.of(entry)),
                Math.min(firstExpiry, entry.firstExpiry()));
    }

    private Pool without(int index) {
        var less = new Announced[announced.length - 1];
        var lessSets = new Maintainers[announced.length - 1];
        var kept = setsWithout(announced[index].author());
        System.arraycopy(announced, 0, less, 0, index);
        System.arraycopy(kept, 0, lessSets, 0, index);
        System.arraycopy(announced, index + 1, less, index, less.length - index);
        System.arraycopy(kept, index + 1, lessSets, index, less.length - index);
        return new Pool(
                identifier,
                model,
                less,
                lessSets,
                states,
                proposals,
                tally.minus(Tally.of(announced[index])),
                firstExpiry);
    }

    /// The sets that stay the same when this author says something else.
    private @Nullable Maintainers[] setsWithout(PublicKey author) {
        var kept = sets.clone();
        for (int i = 0; i < kept.length; i++) {
            var set = kept[i];
            if (set != null && set.dependsOn(author)) {
                kept[i] = null;
            }
        }
        return kept;
    }

    /// The same with another state that waits, or the same one on other terms.
    Pool with(WaitingState state) {
        return withStates(replaceIn(states, other -> other.id().equals(state.id()), Optional.of(state)));
    }

    Pool withoutState(EventId id) {
        return withStates(replaceIn(states, state -> state.id().equals(id), Optional.empty()));
    }

    private Pool withStates(List<WaitingState> others) {
        return new Pool(
                identifier,
                model,
                announced,
                sets,
                others,
                proposals,
                tally.plus(Tally.ofQueues(others.size() - states.size(), 0)),
                firstExpiry);
    }

    /// The same with another proposal that waits, or the same one on other terms.
    Pool with(WaitingProposal proposal) {
        return withProposals(replaceIn(proposals, other -> other.id().equals(proposal.id()), Optional.of(proposal)));
    }

    Pool withoutProposal(EventId id) {
        return withProposals(replaceIn(proposals, proposal -> proposal.id().equals(id), Optional.empty()));
    }

    private Pool withProposals(List<WaitingProposal> others) {
        return new Pool(
                identifier,
                model,
                announced,
                sets,
                states,
                others,
                tally.plus(Tally.ofQueues(0, others.size() - proposals.size())),
                firstExpiry);
    }

    private static <T> List<T> replaceIn(List<T> list, Predicate<T> isOld, Optional<T> replacement) {
        var others = new ArrayList<T>(list.size() + 1);
        list.stream().filter(isOld.negate()).forEach(others::add);
        replacement.ifPresent(others::add);
        return List.copyOf(others);
    }

    private int indexOf(PublicKey author) {
        int low = 0;
        int high = announced.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = announced[middle].author().compareTo(author);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
