package dev.grapnel.git.refs;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Judges a change of refs: what they are afterwards, or why they stay as they are.
final class RefTransition {
    /// A file name has at most 255 bytes, and whoever changes a ref as a file first makes one that ends in
    /// `.lock`.
    static final int COMPONENT_BYTES_MAX = 250;

    private final Refs before;
    private final Set<RefName> symbolic;

    /// @param symbolic names that stand for other refs; what is written under them would never be seen
    RefTransition(Refs before, Set<RefName> symbolic) {
        this.before = before;
        this.symbolic = symbolic;
    }

    /// @throws IllegalArgumentException if one ref is to change twice
    RefOutcome judge(List<RefChange> changes, Optional<RefName> head, Peeler peeler) throws IOException {
        requireDistinct(changes);
        var flaw = findFlaw(changes, head);
        if (flaw.isPresent()) {
            return flaw.get();
        }
        var after = new TreeMap<>(before.values());
        for (var change : changes) {
            if (change.isDeletion()) {
                after.remove(change.name());
            } else if (!change.after().equals(before.target(change.name()))) {
                after.put(
                        change.name(),
                        new RefValue(change.after(), peeler.peel(change.after()).orElse(null)));
            }
        }
        return findClash(changes, after).orElseGet(() -> new RefOutcome.Done(picture(after, head)));
    }

    private static void requireDistinct(List<RefChange> changes) {
        var names = new HashSet<RefName>();
        for (var change : changes) {
            if (!names.add(change.name())) {
                throw new IllegalArgumentException(change.name() + " is to change twice");
            }
        }
    }

    private Optional<RefOutcome> findFlaw(List<RefChange> changes, Optional<RefName> head) {
        for (var change : changes) {
            var actual = before.target(change.name());
            if (!actual.equals(change.before())) {
                return Optional.of(new RefOutcome.Moved(change.name(), actual));
            }
            var unwritable = change.isDeletion() ? Optional.<RefOutcome>empty() : findUnwritable(change.name());
            if (unwritable.isPresent()) {
                return unwritable;
            }
        }
        return head.flatMap(name -> name.isBranch()
                ? findUnwritable(name)
                : Optional.of(new RefOutcome.Unwritable(name, "HEAD can only name a branch")));
    }

    private Optional<RefOutcome> findUnwritable(RefName name) {
        if (!name.text().startsWith("refs/")) {
            return Optional.of(new RefOutcome.Unwritable(name, "refs have names that begin with refs/"));
        }
        if (symbolic.contains(name)) {
            return Optional.of(new RefOutcome.Unwritable(name, "it stands for another ref here"));
        }
        return hasLongComponent(name.text())
                ? Optional.of(new RefOutcome.Unwritable(
                        name,
                        "a part between slashes has more than " + COMPONENT_BYTES_MAX
                                + " bytes, so no file can be called that"))
                : Optional.empty();
    }

    private static boolean hasLongComponent(String text) {
        int length = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            length = b == '/' ? 0 : length + 1;
            if (length > COMPONENT_BYTES_MAX) {
                return true;
            }
        }
        return false;
    }

    /// Only what comes newly can clash: all others were there together.
    private Optional<RefOutcome> findClash(List<RefChange> changes, NavigableMap<RefName, RefValue> after) {
        for (var change : changes) {
            if (!change.isDeletion() && change.before().equals(Oid.ZERO)) {
                var clash = findAbove(change.name(), after).or(() -> findBelow(change.name(), after));
                if (clash.isPresent()) {
                    return clash.map(with -> new RefOutcome.Clash(change.name(), with));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<RefName> findAbove(RefName name, NavigableMap<RefName, RefValue> refs) {
        for (int slash = name.text().lastIndexOf('/');
                slash > 0;
                slash = name.text().lastIndexOf('/', slash - 1)) {
            if (RefName.parse(name.text().substring(0, slash)) instanceof Parsed.Valid(var above)
                    && refs.containsKey(above)) {
                return Optional.of(above);
            }
        }
        return Optional.empty();
    }

    private static Optional<RefName> findBelow(RefName name, NavigableMap<RefName, RefValue> refs) {
        // The first name that could lie below; if even that is too long, none is there.
        return RefName.parse(name.text() + "/!")
                .find()
                .flatMap(first -> Optional.ofNullable(refs.ceilingKey(first)))
                .filter(next -> next.text().startsWith(name.text() + "/"));
    }

    /// The same picture if nothing changes.
    private Refs picture(NavigableMap<RefName, RefValue> after, Optional<RefName> head) {
        var named = head.orElse(before.head());
        return named.equals(before.head()) && after.equals(before.values()) ? before : new Refs(after, named);
    }
}
