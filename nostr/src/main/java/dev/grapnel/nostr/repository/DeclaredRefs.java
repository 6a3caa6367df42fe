package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Tags;
import java.util.Collection;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// The entries of a state as written: checked against each other, values not yet looked at (service 4.5).
record DeclaredRefs(SortedMap<RefName, String> values) {
    private static final String PEELED = "^{}";

    /// Puts everything below a name directly behind it, whatever else begins like it: `a`, `a/b`, `a-b`.
    private static final Comparator<String> SLASH_FIRST = (left, right) -> {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            if (left.charAt(i) != right.charAt(i)) {
                return rank(left.charAt(i)) - rank(right.charAt(i));
            }
        }
        return left.length() - right.length();
    };

    private static int rank(char c) {
        return c == '/' ? 0 : c;
    }

    static Parsed<DeclaredRefs> read(Tags tags) {
        var values = new TreeMap<RefName, String>();
        for (var tag : tags) {
            var name = tag.name();
            if (tag.size() < 2 || !isEntry(name)) {
                continue;
            }
            if (!(RefName.parse(name) instanceof Parsed.Valid<RefName>(var ref))) {
                return Parsed.invalid("bad ref name");
            }
            var former = values.putIfAbsent(ref, tag.element(1));
            if (former != null && !former.equals(tag.element(1))) {
                return Parsed.invalid("conflicting values for " + ref);
            }
        }
        return hasNameBelowAnother(values.keySet())
                ? Parsed.invalid("conflicting ref names")
                : Parsed.valid(new DeclaredRefs(values));
    }

    private static boolean isEntry(String name) {
        return (name.startsWith(RefName.BRANCHES) || name.startsWith(RefName.TAGS)) && !name.endsWith(PEELED);
    }

    private static boolean hasNameBelowAnother(Collection<RefName> names) {
        var sorted = names.stream().map(RefName::text).sorted(SLASH_FIRST).toList();
        for (int i = 1; i < sorted.size(); i++) {
            var name = sorted.get(i);
            var before = sorted.get(i - 1);
            if (name.startsWith(before) && name.charAt(before.length()) == '/') {
                return true;
            }
        }
        return false;
    }
}
