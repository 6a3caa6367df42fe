package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.LeadPath;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Roster;
import dev.grapnel.nostr.repository.RosterPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is known about one identifier: who announces it, who maintains whose repository, which states and
/// proposals wait. Immutable; a change makes another one.
///
/// Who is in whose set is found when somebody asks ([Listings]). An array sorted by author rather than a map:
/// nearly all identifiers have one author, and copying ten thousand references takes microseconds.
public final class Pool implements RosterPool {
    private final Identifier identifier;
    private final MaintainerModel model;
    private final Announced[] announced;

    private final List<WaitingState> states;
    private final List<WaitingProposal> proposals;
    private final Tally tally;
    /// No announcement expires before this second.
    private final long firstExpiry;

    /// Made by whoever needs it first: two threads make equal ones.
    private @Nullable Listings listings;

    /// The last answer of [#at], right until something else expires; and, in such an answer, since when.
    private @Nullable Pool heard;

    private long heardSince;

    private Pool(
            Identifier identifier,
            MaintainerModel model,
            Announced[] announced,
            List<WaitingState> states,
            List<WaitingProposal> proposals,
            Tally tally,
            long firstExpiry) {
        this.identifier = identifier;
        this.model = model;
        this.announced = announced;
        this.states = states;
        this.proposals = proposals;
        this.tally = tally;
        this.firstExpiry = firstExpiry;
    }

    /// Nothing is known.
    public static Pool empty(Identifier identifier, MaintainerModel model) {
        return new Pool(identifier, model, new Announced[0], List.of(), List.of(), Tally.NOTHING, Long.MAX_VALUE);
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
        return index < 0 ? Optional.empty() : rosterAt(index);
    }

    /// Whether anybody announces it, as far as this server listens.
    public boolean isAnnounced() {
        return Arrays.stream(announced).anyMatch(entry -> entry.voice().isPresent());
    }

    /// M(O,d) with everything about it: for showing, and for few owners at a time. Who only wants to know whether
    /// somebody is in it asks [#isMember].
    public Maintainers maintainers(PublicKey owner) {
        return Maintainers.of(owner, this, model);
    }

    /// Whether a person is in the set of an owner, and so may sign states for its repository.
    public boolean isMember(PublicKey person, PublicKey owner) {
        int index = indexOf(owner);
        return index >= 0 && setsWith(person).test(index);
    }

    /// Tells in whose sets a person is. Most owners are alone, and their sets are not even made.
    private IntPredicate setsWith(PublicKey person) {
        return switch (model) {
            case CONFIRMED -> {
                int own = indexOf(person);
                yield own < 0 // nobody is confirmed without having announced: strangers shall not cost any sets
                        ? _ -> false
                        : index -> isAlone(index) ? index == own : listings().isMember(own, index);
            }
            case RECURSIVE ->
                index -> isAlone(index)
                        ? authorAt(index).equals(person)
                        : maintainers(authorAt(index)).contains(person);
        };
    }

    /// Tells in whose sets one of several people is.
    private IntPredicate setsWithAny(Set<PublicKey> people) {
        if (people.size() == 1) {
            return setsWith(people.iterator().next());
        }
        return switch (model) {
            case CONFIRMED -> {
                var known = listings().people(people, this);
                yield index -> listings().isAnyMember(known, index);
            }
            case RECURSIVE -> index -> people.stream().anyMatch(maintainers(authorAt(index))::contains);
        };
    }

    private boolean isAlone(int index) {
        return announced[index].voice().filter(Voice::isAlone).isPresent();
    }

    private Listings listings() {
        var known = listings;
        if (known == null) {
            known = Listings.of(this);
            listings = known;
        }
        return known;
    }

    /// Whether some hosted repository takes states of this person.
    public boolean authorises(PublicKey person) {
        return isAnywhere(person, Announced::isHosted);
    }

    /// Whether a repository that can be read here carries states of this person (service 4.9.6).
    public boolean carriesStatesOf(PublicKey person) {
        return isAnywhere(person, Announced::carries);
    }

    /// Whether a repository that can be read here carries proposals for this owner's (service 4.6.4).
    public boolean carriesProposalsFor(PublicKey owner) {
        return findAnnounced(owner).filter(Announced::carries).isPresent() || isAnywhere(owner, Announced::carries);
    }

    /// Its own repository is the likeliest.
    private boolean isAnywhere(PublicKey person, Predicate<Announced> where) {
        var isIn = setsWith(person);
        int own = indexOf(person);
        return (own >= 0 && where.test(announced[own]) && isIn.test(own))
                || IntStream.range(0, announced.length)
                        .anyMatch(index -> where.test(announced[index]) && isIn.test(index));
    }

    /// The hosted repositories that take states of this person.
    public List<Announced> authorising(PublicKey person) {
        return those(Announced::isHosted, setsWith(person));
    }

    /// The announcements that must not end before a non-empty state of one of these authors: held ones that ask for a
    /// repository and authorise it, and the author's own (P-215).
    public List<Announced> keptBy(Set<PublicKey> authors) {
        var isIn = setsWithAny(authors);
        return those(
                entry -> entry.held().filter(HeldVoice::isHosted).isPresent(),
                index -> authors.contains(authorAt(index))
                        || (announced[index].isHosted() && !isAlone(index) && isIn.test(index)));
    }

    private List<Announced> those(Predicate<Announced> which, IntPredicate isIn) {
        return IntStream.range(0, announced.length)
                .filter(index -> which.test(announced[index]) && isIn.test(index))
                .mapToObj(index -> announced[index])
                .toList();
    }

    /// Who has invited a person: of the first hosted repository in whose set somebody lists it, the first one who
    /// does. Only for somebody who is in none of these sets and has not left.
    public Optional<PublicKey> findInviter(PublicKey person) {
        if (model == MaintainerModel.RECURSIVE) {
            return Optional.empty();
        }
        var listers = Arrays.stream(announced)
                .filter(entry -> entry.voice()
                        .filter(voice -> voice.roster().lists(person))
                        .isPresent())
                .map(Announced::author)
                .toList();
        if (listers.isEmpty()) {
            return Optional.empty();
        }
        var known = listings().people(listers, this);
        return IntStream.range(0, announced.length)
                .filter(index -> announced[index].isHosted())
                .mapToObj(index -> listings().membersAmong(known, index).min())
                .flatMapToInt(OptionalInt::stream)
                .mapToObj(this::authorAt)
                .findFirst();
    }

    /// Whether nobody may sign for any hosted repository.
    public boolean isAuthorisingNobody() {
        return IntStream.range(0, announced.length)
                .filter(index -> announced[index].isHosted())
                .noneMatch(index -> switch (model) {
                    case CONFIRMED -> isAlone(index) || listings().hasMembers(index);
                    case RECURSIVE -> rosterAt(index).isPresent();
                });
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

    /// Those among some people whom others name in announcements that are served (service 4.4.4).
    public Set<PublicKey> namedByServed(Collection<PublicKey> people) {
        return Naming.byServed(announced, people);
    }

    /// Those among some people whom others name in announcements that are served or held (service 4.4.4); what these
    /// people have waiting themselves counts only as references to others of them.
    public Set<PublicKey> named(Collection<PublicKey> people) {
        return Naming.byAny(announced, people);
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
        long first = Arrays.stream(announced)
                .flatMap(entry -> entry.held().filter(HeldVoice::isHosted).stream())
                .mapToLong(HeldVoice::deadline)
                .min()
                .orElse(Long.MAX_VALUE);
        var ends = new HashMap<PublicKey, Long>();
        states.stream()
                .filter(state -> !state.isEmpty() && state.deadline() > first)
                .forEach(state -> ends.merge(state.author(), state.deadline(), Math::max));
        return ends.isEmpty() ? List.of() : endingBefore(ends);
    }

    private List<HeldVoice> endingBefore(Map<PublicKey, Long> ends) {
        long last = Collections.max(ends.values());
        var latest = latest(ends);
        var found = new ArrayList<HeldVoice>();
        for (int index = 0; index < announced.length; index++) {
            var held = announced[index].held().filter(HeldVoice::isHosted);
            if (held.isPresent() && held.get().deadline() < last) {
                long own = ends.getOrDefault(authorAt(index), Long.MIN_VALUE);
                long needed =
                        isAlone(index) || announced[index].isMuted() ? own : Math.max(own, latest.applyAsLong(index));
                if (held.get().deadline() < needed) {
                    found.add(held.get().until(needed));
                }
            }
        }
        return found;
    }

    /// Tells the last of what belongs to the members of a set.
    private IntToLongFunction latest(Map<PublicKey, Long> ends) {
        return switch (model) {
            case CONFIRMED -> {
                var known = listings().people(ends.keySet(), this);
                var byPlace = new long[announced.length];
                Arrays.setAll(byPlace, index -> ends.getOrDefault(authorAt(index), Long.MIN_VALUE));
                yield index -> listings()
                        .membersAmong(known, index)
                        .mapToLong(member -> byPlace[member])
                        .max()
                        .orElse(Long.MIN_VALUE);
            }
            case RECURSIVE ->
                index -> {
                    var set = maintainers(authorAt(index));
                    return ends.entrySet().stream()
                            .filter(entry -> set.contains(entry.getKey()))
                            .mapToLong(Map.Entry::getValue)
                            .max()
                            .orElse(Long.MIN_VALUE);
                };
        };
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
        var known = heard;
        if (known != null && known.heardSince <= second && known.firstExpiry > second) {
            return known;
        }
        var pool = this;
        for (var entry : announced) {
            if (entry.firstExpiry() <= second) {
                pool = pool.with(entry.at(second));
            }
        }
        pool.heardSince = second;
        heard = pool;
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
        System.arraycopy(announced, 0, more, 0, index);
        more[index] = entry;
        System.arraycopy(announced, index, more, index + 1, announced.length - index);
        var pool = announcing(more, tally.plus(Tally.of(entry)), Math.min(firstExpiry, entry.firstExpiry()));
        pool.listings = listings == null ? null : listings.inserted(index, pool);
        return pool;
    }

    private Pool replaced(int index, Announced entry) {
        var other = announced.clone();
        other[index] = entry;
        var pool = announcing(
                other,
                tally.minus(Tally.of(announced[index])).plus(Tally.of(entry)),
                firstExpiryIn(other, index, entry.firstExpiry()));
        boolean saysTheSame = rosterAt(index).equals(pool.rosterAt(index));
        pool.listings = listings == null || saysTheSame ? listings : listings.replaced(index, pool);
        return pool;
    }

    private Pool without(int index) {
        var less = new Announced[announced.length - 1];
        System.arraycopy(announced, 0, less, 0, index);
        System.arraycopy(announced, index + 1, less, index, less.length - index);
        var pool =
                announcing(less, tally.minus(Tally.of(announced[index])), firstExpiryIn(less, index, Long.MAX_VALUE));
        pool.listings = listings == null ? null : listings.removed(index, pool);
        return pool;
    }

    /// All others need looking at only if the one that changes was the first.
    private long firstExpiryIn(Announced[] others, int changed, long expiry) {
        boolean wasFirst = firstExpiry < Long.MAX_VALUE && announced[changed].firstExpiry() == firstExpiry;
        return wasFirst
                ? Arrays.stream(others).mapToLong(Announced::firstExpiry).min().orElse(Long.MAX_VALUE)
                : Math.min(firstExpiry, expiry);
    }

    private Pool announcing(Announced[] others, Tally otherTally, long otherExpiry) {
        return new Pool(identifier, model, others, states, proposals, otherTally, otherExpiry);
    }

    /// The same, for those who keep something as long as a pool stays the same: what is served has changed.
    Pool touched() {
        return waiting(states, proposals, Tally.NOTHING);
    }

    /// The same with another state that waits, or the same one on other terms.
    Pool with(WaitingState state) {
        return withStates(replaceIn(states, other -> other.id().equals(state.id()), Optional.of(state)));
    }

    Pool withoutState(EventId id) {
        return withStates(replaceIn(states, state -> state.id().equals(id), Optional.empty()));
    }

    private Pool withStates(List<WaitingState> others) {
        return waiting(others, proposals, Tally.ofQueues(others.size() - states.size(), 0));
    }

    private Pool waiting(List<WaitingState> otherStates, List<WaitingProposal> otherProposals, Tally more) {
        var pool = new Pool(identifier, model, announced, otherStates, otherProposals, tally.plus(more), firstExpiry);
        pool.listings = listings;
        return pool;
    }

    /// The same with another proposal that waits, or the same one on other terms.
    Pool with(WaitingProposal proposal) {
        return withProposals(replaceIn(proposals, other -> other.id().equals(proposal.id()), Optional.of(proposal)));
    }

    Pool withoutProposal(EventId id) {
        return withProposals(replaceIn(proposals, proposal -> proposal.id().equals(id), Optional.empty()));
    }

    private Pool withProposals(List<WaitingProposal> others) {
        return waiting(states, others, Tally.ofQueues(0, others.size() - proposals.size()));
    }

    private static <T> List<T> replaceIn(List<T> list, Predicate<T> isOld, Optional<T> replacement) {
        var others = new ArrayList<T>(list.size() + 1);
        list.stream().filter(isOld.negate()).forEach(others::add);
        replacement.ifPresent(others::add);
        return List.copyOf(others);
    }

    int size() {
        return announced.length;
    }

    PublicKey authorAt(int index) {
        return announced[index].author();
    }

    Optional<Roster> rosterAt(int index) {
        return announced[index].voice().map(Voice::roster);
    }

    /// How many sets are known without looking for them again.
    int setsKnown() {
        return listings == null ? 0 : listings.setsKnown();
    }

    /// The place of an author; negative for those who announce nothing.
    int indexOf(PublicKey author) {
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
