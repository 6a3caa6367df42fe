package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/// All refs of a repository at one moment, in git's order.
///
/// Two pictures are the same one only if nothing changed in between: whoever derives something costly from
/// a picture may keep it as long as the picture is current.
public final class Refs {
    /// What a new repository has on disk.
    public static final RefName DEFAULT_BRANCH = new RefName("refs/heads/main");

    /// No refs at all.
    public static final Refs NONE = new Refs(new TreeMap<>(), DEFAULT_BRANCH);

    private final SortedMap<RefName, RefValue> values;
    private final RefName head;

    public Refs(SortedMap<RefName, RefValue> values, RefName head) {
        this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        this.head = head;
    }

    /// Every ref by its name.
    public SortedMap<RefName, RefValue> values() {
        return values;
    }

    /// The branch that `HEAD` names, which need not exist.
    public RefName head() {
        return head;
    }

    /// What a ref names.
    public Optional<RefValue> find(RefName name) {
        return Optional.ofNullable(values.get(name));
    }

    /// The object a ref names; zero if there is no such ref.
    public Oid target(RefName name) {
        var value = values.get(name);
        return value == null ? Oid.ZERO : value.target();
    }

    /// The same without those that nobody may see.
    public Refs without(BiPredicate<RefName, Oid> hidden) {
        if (values.entrySet().stream().noneMatch(ref -> isHidden(ref, hidden))) {
            return this;
        }
        var visible = new TreeMap<>(values);
        visible.entrySet().removeIf(ref -> isHidden(ref, hidden));
        return new Refs(visible, head);
    }

    private static boolean isHidden(Map.Entry<RefName, RefValue> ref, BiPredicate<RefName, Oid> hidden) {
        return hidden.test(ref.getKey(), ref.getValue().target());
    }

    /// Whether there is neither branch nor tag nor anything else.
    public boolean isEmpty() {
        return values.isEmpty();
    }
}
