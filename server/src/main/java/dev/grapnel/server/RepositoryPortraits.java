package dev.grapnel.server;

import dev.grapnel.git.Hosting;
import dev.grapnel.git.Hosting.Hosted;
import dev.grapnel.git.refs.RefValue;
import dev.grapnel.git.refs.Refs;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.ListsService;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.purgatory.Targets;
import dev.grapnel.purgatory.hunt.HuntPicture;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.server.web.RepositoryPortrait;
import dev.grapnel.server.web.RepositoryPortrait.Asked;
import dev.grapnel.server.web.RepositoryPortrait.Awaited;
import dev.grapnel.server.web.RepositoryPortrait.Content;
import dev.grapnel.server.web.RepositoryPortrait.Person;
import dev.grapnel.server.web.RepositoryPortrait.Phase;
import dev.grapnel.server.web.RepositoryPortrait.Ref;
import dev.grapnel.server.web.RepositoryPortrait.Role;
import dev.grapnel.server.web.RepositoryPortrait.SignedState;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Gathers what the page of a repository shows.
///
/// @param service under which announcements name this server
record RepositoryPortraits(
        EventStore store,
        Pools pools,
        Repositories repositories,
        Hosting hosting,
        ServiceAddress service,
        Function<Identifier, Optional<HuntPicture>> hunts) {
    private static final UrlShape SHAPE = UrlShape.git(List.of(Scheme.HTTP, Scheme.HTTPS));
    private static final int REFS_MAX = 100;
    private static final int PEOPLE_MAX = 50;
    private static final int AWAITED_MAX = 10;
    private static final int PROPOSALS_MAX = 100;

    /// Of a repository that is hosted.
    RepositoryPortrait of(RepositoryAddress address) throws IOException {
        var hosted = hosting.find(address);
        var content = hosted.isPresent() ? content(address, hosted.get()) : Content.NONE;
        return store.read(view -> of(address, content, view));
    }

    private Content content(RepositoryAddress address, Hosted hosted) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease == null ? Content.NONE : contentSeen(lease, lease.seenAs(hosted));
        }
    }

    private static Content contentSeen(RepositoryLease lease, Hosted seen) throws IOException {
        return content(lease.refs().current(), seen.hidden());
    }

    private static Content content(Refs refs, BiPredicate<RefName, Oid> hidden) {
        var branches = shown(refs, RefName::isBranch, hidden);
        var tags = shown(refs, RefName::isTag, hidden);
        return new Content(
                Optional.of(refs.head()).filter(head -> !branches.isEmpty()),
                branches.stream().limit(REFS_MAX).toList(),
                branches.size(),
                tags.stream().limit(REFS_MAX).toList(),
                tags.size());
    }

    private static List<Ref> shown(Refs refs, Predicate<RefName> sort, BiPredicate<RefName, Oid> hidden) {
        return refs.values().entrySet().stream()
                .filter(entry -> sort.test(entry.getKey())
                        && !hidden.test(entry.getKey(), entry.getValue().target()))
                .map(RepositoryPortraits::ref)
                .toList();
    }

    private static Ref ref(Map.Entry<RefName, RefValue> entry) {
        return new Ref(entry.getKey(), entry.getValue().target());
    }

    private RepositoryPortrait of(RepositoryAddress address, Content content, StoreView view) {
        var pool = pools.seenBy(view, address.identifier());
        var entry = pool.findAnnounced(address.owner());
        var announcement = entry.flatMap(Announced::served).flatMap(_ -> findAnnouncement(address, view));
        if (announcement.isEmpty()) {
            return unserved(content, entry);
        }
        var maintainers = pool.maintainers(address.owner());
        var governing = governing(maintainers, address.identifier(), view);
        var people = people(address.owner(), maintainers, pool);
        return new RepositoryPortrait(
                announcement.get().description(),
                phase(entry, announcement.get()),
                content,
                people.stream().limit(PEOPLE_MAX).toList(),
                people.size() > PEOPLE_MAX,
                maintainers.failure(),
                governing.map(RepositoryPortraits::signed),
                awaited(address, pool, maintainers, governing, announcement.get(), view));
    }

    private RepositoryPortrait unserved(Content content, Optional<Announced> entry) {
        var waits = entry.flatMap(Announced::held)
                .map(held -> (Awaited) new Awaited.FirstContent(pools.time().wallAt(held.deadline())));
        return new RepositoryPortrait(
                Optional.empty(),
                entry.isPresent() ? Phase.WAITING : Phase.OPEN,
                content,
                List.of(),
                false,
                Optional.empty(),
                Optional.empty(),
                waits.stream().toList());
    }

    private static Optional<Announcement> findAnnouncement(RepositoryAddress address, StoreView view) {
        return view.findCurrent(new Address(
                        Kinds.ANNOUNCEMENT,
                        address.owner(),
                        address.identifier().text()))
                .flatMap(event -> Announcement.parse(event.read()).find());
    }

    private Phase phase(Optional<Announced> entry, Announcement announcement) {
        if (entry.flatMap(Announced::standing)
                .filter(standing -> standing == Standing.Phase.WITHDRAWN)
                .isPresent()) {
            return Phase.WITHDRAWN;
        }
        return ListsService.judge(announcement, service) ? Phase.SERVED : Phase.ARCHIVED;
    }

    private static Optional<RepositoryState> governing(Maintainers maintainers, Identifier identifier, StoreView view) {
        var states = new ArrayList<RepositoryState>();
        for (var member : maintainers.members()) {
            view.findCurrent(new Address(Kinds.STATE, member, identifier.text()))
                    .flatMap(event -> RepositoryState.parse(event.read()).find())
                    .ifPresent(states::add);
        }
        return maintainers.findGoverning(states);
    }

    private static SignedState signed(RepositoryState state) {
        int branches =
                (int) state.refs().keySet().stream().filter(RefName::isBranch).count();
        return new SignedState(
                state.author(),
                Instant.ofEpochSecond(state.event().createdAt()),
                state.event().id().toHex(),
                branches,
                state.refs().size() - branches);
    }

    /// Owner first, then those who may sign, then those who could. Whom only a held announcement names is left out.
    private static List<Person> people(PublicKey owner, Maintainers maintainers, Pool pool) {
        var everybody = everybody(owner, maintainers);
        var named = pool.namedByServed(everybody);
        var people = new ArrayList<Person>();
        for (var key : everybody) {
            if (key.equals(owner) || named.contains(key)) {
                role(key, maintainers, pool).ifPresent(role -> people.add(new Person(key, role)));
            }
        }
        return people;
    }

    /// No more than can be shown, and one: members may list tens of thousands.
    private static SequencedSet<PublicKey> everybody(PublicKey owner, Maintainers maintainers) {
        var everybody = new LinkedHashSet<PublicKey>();
        everybody.add(owner);
        everybody.addAll(maintainers.members());
        for (var roster : maintainers.rosters()) {
            for (var person : roster.listed()) {
                if (everybody.size() > Maintainers.MEMBERS_MAX + PEOPLE_MAX) {
                    return everybody;
                }
                everybody.add(person);
            }
        }
        return everybody;
    }

    private static Optional<Role> role(PublicKey key, Maintainers maintainers, Pool pool) {
        if (maintainers.contains(key)) {
            return Optional.of(
                    new Role.Member(maintainers.root().filter(key::equals).isPresent()));
        }
        if (maintainers.departed().contains(key)) {
            return Optional.of(new Role.Left());
        }
        boolean hasAnnounced =
                pool.findAnnounced(key).flatMap(Announced::served).isPresent();
        return maintainers.findInviter(key).map(by -> new Role.Invited(by, hasAnnounced));
    }

    private List<Awaited> awaited(
            RepositoryAddress address,
            Pool pool,
            Maintainers maintainers,
            Optional<RepositoryState> governing,
            Announcement announcement,
            StoreView view) {
        var awaited = new ArrayList<Awaited>();
        pool.findAnnounced(address.owner())
                .flatMap(Announced::held)
                .filter(HeldVoice::isHosted)
                .ifPresent(held ->
                        awaited.add(new Awaited.FirstContent(pools.time().wallAt(held.deadline()))));
        var named = pool.namedByServed(maintainers.members());
        pool.states().stream()
                .filter(state -> maintainers.contains(state.author())
                        && (state.author().equals(address.owner()) || named.contains(state.author())))
                .filter(state -> governing.isEmpty()
                        || state.version().isNewerThan(governing.get().version()))
                .limit(AWAITED_MAX)
                .forEach(state -> awaited.add(
                        new Awaited.Objects(state.author(), pools.time().wallAt(state.deadline()))));
        int proposals = countProposals(address, pool, view);
        if (proposals > 0) {
            awaited.add(new Awaited.Commits(proposals));
        }
        view.findRow(Table.REPAIRS, RowKeys.repository(address))
                .filter(Repair.class::isInstance)
                .map(row -> new Awaited.Alignment(((Repair) row).since()))
                .ifPresent(awaited::add);
        if (!awaited.isEmpty()) {
            hunts.apply(address.identifier())
                    .map(picture -> elsewhere(picture, announcement))
                    .ifPresent(awaited::add);
        }
        return awaited;
    }

    /// Addresses that only events name which wait are nobody's business (I-1), nor those of others (I-14).
    private static Awaited elsewhere(HuntPicture picture, Announcement announcement) {
        var named = announcement.cloneUrls().stream()
                .flatMap(url -> RemoteUrl.parse(url, SHAPE).find().stream())
                .map(RemoteUrl::text)
                .collect(Collectors.toSet());
        return new Awaited.Elsewhere(
                picture.nextAttempt(),
                picture.answers().stream()
                        .filter(answer -> named.contains(answer.url()))
                        .map(answer -> new Asked(answer.url(), answer.words()))
                        .toList());
    }

    /// Those that name this very repository: what waits for another owner's is nobody's business here (I-14).
    private static int countProposals(RepositoryAddress address, Pool pool, StoreView view) {
        return (int) pool.proposals().stream()
                .limit(PROPOSALS_MAX)
                .flatMap(waiting -> view.findHeld(waiting.id()).stream())
                .filter(held -> Targets.of(held.event(), view).contains(address))
                .count();
    }
}
