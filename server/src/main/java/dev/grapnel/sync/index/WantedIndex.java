package dev.grapnel.sync.index;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.PurgatoryView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// What is wanted, and from whom. Mutations change it by way of [Application], announcements that wait by way
/// of [Registration]; both may be cut into steps, and in between it can be read at any time.
///
/// Everything has an ordinal and stands in tables of numbers (sync 8.2); the inversion, from relays to
/// repositories, is [Pairs]. A change costs as much as its repository has relays, whatever the size of the
/// index.
public final class WantedIndex implements Targets {
    /// So many entries may be gone before it matters how many are left.
    private static final int GONE_MIN = 100_000;
    private static final int OWNERS_MAX = 20;

    private final IndexLimits limits;
    private final Repos repos;
    private final Roots roots;
    private final Threads threads;
    private final StateAddresses addresses;
    private final Following following;
    private final Dirt dirt;
    private final Recent recent = new Recent();
    private final PairMarks marks = new PairMarks();
    private final IndexTables tables;
    private final IdTable keys;

    /// @param tables for what is counted in millions: roots and members
    /// @param chance for hashes that nobody foresees
    public WantedIndex(IndexLimits limits, IndexTables tables, Archive archive, RandomGenerator chance) {
        this.limits = limits;
        var salt = new Salt(chance.nextLong());
        var heap = new HeapTables();
        this.keys = new IdTable(heap, "keys", salt);
        this.repos = new Repos(heap, salt, keys, tables);
        this.roots = new Roots(tables, salt);
        this.dirt = new Dirt(repos, roots);
        this.threads = new Threads(tables, salt, limits, roots, dirt::soilThread, dirt::thinThread);
        this.addresses = new StateAddresses(heap, keys, repos, archive);
        this.following = new Following(limits, repos, roots, new Pairs(heap), marks, dirt);
        this.tables = tables;
    }

    /// Applies a batch of mutations at once (R1.13).
    public void apply(List<Mutation> window, IndexChange change) {
        drain(applying(window, change));
    }

    /// Applies a batch, step by step.
    Application applying(List<Mutation> window, IndexChange change) {
        return new Application(this, window, change, Application.Extent.COMPLETE);
    }

    /// Applies a part of all that is stored, step by step: roots come after all announcements and are not
    /// looked for, and state addresses wait until a complete batch is applied.
    Application reading(List<Mutation> found, IndexChange change) {
        return new Application(this, found, change, Application.Extent.PART);
    }

    /// Applies a part of all announcements, step by step: the roots of those that are new are looked for later, and so
    /// are state addresses.
    Application announcing(List<Mutation> found, IndexChange change) {
        return new Application(this, found, change, Application.Extent.ANNOUNCEMENTS);
    }

    /// Compares announcements that wait with the index at once (R1.17).
    ///
    /// @param relaysOf what one of them names
    public void register(
            List<PurgatoryView.Waiting> waiting,
            Function<PurgatoryView.Waiting, List<RemoteUrl>> relaysOf,
            IndexChange change) {
        drain(registering(waiting, relaysOf, _ -> false, change));
    }

    /// Compares announcements that wait with the index, step by step.
    ///
    /// @param isStored whether an announcement is known to be stored that the index has not heard of
    Registration registering(
            List<PurgatoryView.Waiting> waiting,
            Function<PurgatoryView.Waiting, List<RemoteUrl>> relaysOf,
            Predicate<PurgatoryView.Waiting> isStored,
            IndexChange change) {
        return following.registering(waiting, relaysOf, isStored, change, telling(change));
    }

    Work telling(IndexChange change) {
        return new Telling(dirt, repos, roots, following.pairs(), change);
    }

    private static void drain(Work work) {
        while (work.advance()) {
            // every step does something
        }
    }

    /// Repositories that became wanted in full and whose stored roots have to be looked for (R1.13), by
    /// reference; each is told once.
    List<String> takeRootLoads(int max) {
        var references = new ArrayList<String>();
        while (references.size() < max && !dirt.loads().isEmpty()) {
            references.add(reference(dirt.loads().poll()));
        }
        return references;
    }

    /// Roots and members whose answers have to be looked for in the store (R3.21); each is told once.
    ThreadSearch takeSearch(int max) {
        var ids = new ArrayList<String>();
        var named = new ArrayList<String>();
        IntConsumer rootFound = root -> ids.add(roots.id(root).toHex());
        IntConsumer memberFound = member -> {
            ids.add(threads.members().id(member).toHex());
            threads.address(member).ifPresent(named::add);
        };
        while (ids.size() < max && dirt.rootSearches().poll(roots.count(), root -> !roots.isGone(root), rootFound)) {
            // the consumer has it
        }
        while (ids.size() < max
                && threads.searches().poll(threads.members().count(), threads::isWorthSearching, memberFound)) {
            // the consumer has it
        }
        return new ThreadSearch(ids, named);
    }

    /// State addresses of an identifier may be others when they are next looked at.
    void ageStates(String identifier) {
        Identifier.parse(identifier).find().ifPresent(known -> repos.forEach(known, dirt::age));
    }

    /// Looks for all answers again.
    void searchAgain() {
        dirt.rootSearches().restart();
        threads.searches().restart();
    }

    /// The ordinal of a relay, which may be new. For those that the operator names; no limit holds for them.
    public int internRelay(RemoteUrl url) {
        return following.relays().intern(url);
    }

    /// Visits the relays that some followed repository names, ascending.
    public void forEachRelay(IntConsumer visitor) {
        for (int relay : following.relays().all()) {
            if (pairCount(relay) > 0) {
                visitor.accept(relay);
            }
        }
    }

    /// Forgets relays that no repository names and nobody else needs; if one is met again, it has another ordinal.
    ///
    /// @param isInUse whether somebody may still want to know the address of an ordinal
    public void forgetRelays(IntPredicate isInUse) {
        following.forgetRelays(isInUse);
    }

    /// Whether an ordinal that was given to a relay still stands for it.
    public boolean isKnown(int relay) {
        return following.relays().isKnown(relay);
    }

    public IndexFigures figures() {
        return new IndexFigures(
                repos.count(Level.FULL),
                repos.count(Level.STATE_ONLY),
                roots.live(),
                threads.live(),
                following.pairs().count(),
                following.pairs().relayCount(),
                following.relays().count(),
                following.refusedRelays(),
                following.refusedRepos(),
                threads.refused(),
                isSearching(),
                bytes());
    }

    /// Whether there are more to be told by [#takeSearch].
    boolean isSearching() {
        return dirt.rootSearches().isPending(roots.count())
                || threads.searches().isPending(threads.members().count());
    }

    private long bytes() {
        return keys.bytes()
                + repos.bytes()
                + roots.bytes()
                + threads.bytes()
                + addresses.bytes()
                + following.pairs().bytes();
    }

    /// Recomputes the inversion in the obvious way and compares (R2.8, I6).
    ///
    /// @return the number of differences; anything but 0 is a fault of ours
    public int audit() {
        var audit = auditing();
        drain(audit);
        return audit.differences();
    }

    /// The same, step by step.
    IndexAudit auditing() {
        return new IndexAudit(this);
    }

    /// What the next process may use of it: what is counted in millions, and what that refers to. All else is read from
    /// the store at each start.
    void keep(Kept kept) {
        roots.keep(kept);
        threads.keep(kept);
        repos.keep(kept);
        dirt.rootSearches().keep(kept);
        recent.keep(kept);
    }

    /// Whether most of what is kept is of use: what is gone stays in the tables until they are made anew.
    boolean isWorthKeeping() {
        return isUseful(roots.count(), roots.live())
                && isUseful(threads.members().count(), threads.live())
                && isUseful(repos.servedCount(), repos.count(Level.FULL));
    }

    private static boolean isUseful(int count, int live) {
        return count - live <= Math.max(live, GONE_MIN);
    }

    /// Whether what was looked for in the store is known to be in the index.
    boolean isSettled() {
        return dirt.rootSearches().isSettled() && threads.searches().isSettled();
    }

    /// What was looked for in the store up to now is in the index.
    void settleSearches() {
        dirt.rootSearches().settle();
        threads.searches().settle();
    }

    /// Lets go of the tables; nothing may be read any more.
    public void close() {
        tables.close();
    }

    IndexTables tables() {
        return tables;
    }

    IndexLimits limits() {
        return limits;
    }

    Repos repos() {
        return repos;
    }

    Roots roots() {
        return roots;
    }

    Threads threads() {
        return threads;
    }

    StateAddresses stateAddresses() {
        return addresses;
    }

    Following following() {
        return following;
    }

    Dirt dirt() {
        return dirt;
    }

    Recent recent() {
        return recent;
    }

    /// The ordinal of a repository; -1 if it is not known.
    public int findRepo(RepositoryAddress address) {
        return repos.find(address);
    }

    /// The ordinal of a root; -1 if it was never met.
    public int findRoot(EventId id) {
        return roots.find(id);
    }

    /// The ordinal of a thread member; -1 if it is not followed.
    public int findMember(EventId id) {
        int member = threads.members().find(id);
        return member >= 0 && threads.isFollowed(member) ? member : -1;
    }

    /// Ordinals of repositories are below.
    public int repoCount() {
        return repos.count();
    }

    @Override
    public RemoteUrl relay(int relay) {
        return following.relays().url(relay);
    }

    @Override
    public OptionalInt findRelay(RemoteUrl url) {
        int relay = following.relays().find(url);
        return relay < 0 ? OptionalInt.empty() : OptionalInt.of(relay);
    }

    @Override
    public int pairCount(int relay) {
        return following.pairs().count(relay);
    }

    /// Owners of repositories that name the relay; of many, some.
    public List<PublicKey> owners(int relay) {
        var owners = new LinkedHashSet<PublicKey>();
        following.pairs().forEachOf(relay, pair -> {
            if (owners.size() < OWNERS_MAX) {
                owners.add(repos.address(repo(pair)).owner());
            }
        });
        return List.copyOf(owners);
    }

    @Override
    public int fullCount(int relay) {
        return following.pairs().fullCount(relay);
    }

    @Override
    public void forEachPair(int relay, IntConsumer visitor) {
        following.pairs().forEachOf(relay, visitor);
    }

    @Override
    public int findPair(int relay, int repo) {
        return following.pairs().find(relay, repo);
    }

    @Override
    public int repo(int pair) {
        return following.pairs().repo(pair);
    }

    @Override
    public int relayOf(int pair) {
        return following.pairs().relay(pair);
    }

    @Override
    public PairMarks marks() {
        return marks;
    }

    @Override
    public Level level(int repo) {
        return repos.level(repo);
    }

    @Override
    public String reference(int repo) {
        return repos.address(repo).toString();
    }

    @Override
    public String identifier(int repo) {
        return repos.identifier(repo).text();
    }

    @Override
    public void forEachNamesake(int repo, IntConsumer visitor) {
        repos.forEachNamesake(repo, visitor);
    }

    @Override
    public boolean hasAnyNamesake(int repo, IntPredicate isMeant) {
        return repos.hasAnyNamesake(repo, isMeant);
    }

    @Override
    public int addressCount(int repo) {
        return addresses.size(repo);
    }

    @Override
    public Optional<String> address(int repo, int place) {
        return addresses.get(repo, place);
    }

    @Override
    public int addressAuthor(int repo, int place) {
        return addresses.author(repo, place);
    }

    @Override
    public int rootCount(int repo) {
        return roots.sizeOf(repo);
    }

    @Override
    public int root(int repo, int place) {
        return roots.get(repo, place);
    }

    @Override
    public EventId rootId(int root) {
        return roots.id(root);
    }

    @Override
    public int threadAt(int repo, int place) {
        return roots.entry(repo, place);
    }

    @Override
    public boolean asksFor(int pair, int root) {
        return !roots.isGone(root) && asksForThread(pair, root);
    }

    @Override
    public boolean asksForThread(int pair, int root) {
        int repo = repo(pair);
        int relay = relayOf(pair);
        if (level(repo) != Level.FULL || !roots.isIn(root, repo)) {
            return false;
        }
        for (int place = 0; roots.home(root, place) < repo; place++) {
            int lower = roots.home(root, place);
            if (level(lower) == Level.FULL && findPair(relay, lower) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void forEachRepoOf(int root, IntConsumer visitor) {
        roots.forEachHome(root, visitor);
    }

    @Override
    public boolean hasAnyRepo(int root, IntPredicate isMeant) {
        return roots.hasAnyHome(root, isMeant);
    }

    @Override
    public void forEachRecentRoot(IntConsumer visitor) {
        recent.forEach(root -> {
            if (!roots.isGone(root)) {
                visitor.accept(root);
            }
        });
    }

    @Override
    public int memberCount(int root) {
        return threads.sizeOf(root);
    }

    @Override
    public int member(int root, int place) {
        return threads.get(root, place);
    }

    @Override
    public void forEachThreadOf(int member, IntConsumer visitor) {
        threads.forEachRoot(member, visitor);
    }

    @Override
    public boolean hasAnyThread(int member, IntPredicate isMeant) {
        return threads.hasAnyRoot(member, isMeant);
    }

    @Override
    public EventId memberId(int member) {
        return threads.members().id(member);
    }

    @Override
    public Optional<String> memberAddress(int member) {
        return threads.address(member);
    }

    /// Visits the relays that a repository names.
    public void forEachRelayOf(int repo, IntConsumer visitor) {
        for (int place = 0; place < following.pairs().sizeOf(repo); place++) {
            visitor.accept(relayOf(following.pairs().ofRepo(repo, place)));
        }
    }

    @Override
    public boolean touches(int relay, Event event) {
        return new Touch(this, this, relay).by(event);
    }
}
