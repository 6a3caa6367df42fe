package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A repository state, kind 30618 (service 4.5): which branches and tags its author wants, and where they
/// stand. It names no owner; it speaks for every repository of this identifier whose maintainers include its
/// author.
///
/// Each declared ref is in exactly one of [#refs], [#unusable] and [#setAside]. Orders are those of
/// [RefName].
public final class RepositoryState {
    private static final RefName MASTER = RefName.branch("master").require();
    private static final RefName MAIN = RefName.branch("main").require();
    private static final String SYMBOLIC = "ref: ";

    private final Event event;
    private final Identifier identifier;
    private final TreeMap<RefName, Oid> refs = new TreeMap<>();
    private final TreeMap<RefName, String> unusable = new TreeMap<>();
    private final TreeSet<RefName> setAside = new TreeSet<>();

    private RepositoryState(Event event, Identifier identifier, DeclaredRefs declared) {
        this.event = event;
        this.identifier = identifier;
        declared.values().forEach(this::sortIn);
    }

    /// Reads an event.
    public static Parsed<RepositoryState> parse(Event event) {
        if (event.kind() != Kinds.STATE) {
            return Parsed.invalid(Views.wrongKind(event, "a repository state"));
        }
        return Identifier.of(event)
                .then(identifier -> DeclaredRefs.read(event.tags())
                        .map(declared -> new RepositoryState(event, identifier, declared)))
                .then(RepositoryState::withoutZero);
    }

    private static Parsed<RepositoryState> withoutZero(RepositoryState state) {
        return state.refs.entrySet().stream()
                .filter(ref -> ref.getValue().isZero())
                .findFirst()
                .<Parsed<RepositoryState>>map(ref -> Parsed.invalid("zero object id for " + ref.getKey()))
                .orElseGet(() -> Parsed.valid(state));
    }

    private void sortIn(RefName ref, String value) {
        if (value.startsWith(SYMBOLIC + "refs/")) {
            setAside.add(ref);
        } else if (Oid.parse(value) instanceof Parsed.Valid<Oid>(var oid)) {
            refs.put(ref, oid);
        } else {
            unusable.put(ref, value);
        }
    }

    /// The event it was read from.
    public Event event() {
        return event;
    }

    /// Who signed it.
    public PublicKey author() {
        return event.author();
    }

    /// Which repositories it speaks of, whoever owns them.
    public Identifier identifier() {
        return identifier;
    }

    /// Its place in the order that decides which state governs.
    public Version version() {
        return event.version();
    }

    /// D, the refs it declares, as far as they name objects.
    public SortedMap<RefName, Oid> refs() {
        return Collections.unmodifiableSortedMap(refs);
    }

    /// The rest of D: refs whose value is no object id, as written. Never hand one to git.
    public SortedMap<RefName, String> unusable() {
        return Collections.unmodifiableSortedMap(unusable);
    }

    /// Refs that were given another ref as value: never created, compared, pruned or pushable.
    public SortedSet<RefName> setAside() {
        return Collections.unmodifiableSortedSet(setAside);
    }

    /// Whether it can ever be applied, as far as its text tells.
    public boolean isSatisfiable() {
        return unusable.isEmpty();
    }

    /// Whether it declares nothing: it wants no branch and no tag. One that cannot be satisfied is not empty.
    public boolean isEmpty() {
        return refs.isEmpty() && unusable.isEmpty();
    }

    /// Whether a ref is in D, usable or not.
    public boolean declares(RefName ref) {
        return refs.containsKey(ref) || unusable.containsKey(ref);
    }

    /// The default branch it names; empty if it names none, something else, or a branch it does not declare.
    public Optional<RefName> head() {
        return event.tags()
                .findValue("HEAD")
                .map(value -> value.startsWith(SYMBOLIC) ? value.substring(SYMBOLIC.length()) : value)
                .flatMap(name -> RefName.parse(name).find())
                .filter(RefName::isBranch)
                .filter(this::declares);
    }

    /// What HEAD of an aligned repository points at, existing or not (service 7.3).
    public RefName defaultBranch() {
        return head().or(() -> Optional.of(MASTER).filter(this::declares))
                .or(() -> Optional.of(MAIN).filter(this::declares))
                .or(() -> refs.keySet().stream().filter(RefName::isBranch).findFirst())
                .orElse(MAIN);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RepositoryState that && event.equals(that.event);
    }

    @Override
    public int hashCode() {
        return event.hashCode();
    }

    /// Identifier and id.
    @Override
    public String toString() {
        return "RepositoryState(" + identifier + ", " + event.id() + ")";
    }
}
