package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.event.Tags;
import dev.grapnel.nostr.key.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One role tag: who, and from when to when (service 5.1.1). Kept as written, well-formed or not, because a
/// malformed record grants nothing but still says that the announcement speaks of roles.
///
/// @param key the person as written; empty if the tag names nobody
/// @param boundaries start, end, start, end, and so on
public record RoleRecord(Role role, String key, List<String> boundaries) {
    private static final String UNSIGNED_MAX = Long.toUnsignedString(-1);

    public RoleRecord {
        boundaries = List.copyOf(boundaries);
    }

    /// All role records, in order.
    static List<RoleRecord> of(Tags tags) {
        var records = new ArrayList<RoleRecord>();
        for (var tag : tags) {
            for (var role : Role.values()) {
                if (tag.isNamed(role.letter())) {
                    records.add(of(role, tag));
                }
            }
        }
        return List.copyOf(records);
    }

    private static RoleRecord of(Role role, Tag tag) {
        var values = tag.values();
        return values.isEmpty()
                ? new RoleRecord(role, "", List.of())
                : new RoleRecord(role, values.getFirst(), values.subList(1, values.size()));
    }

    /// Whom it names.
    public Optional<PublicKey> findKey() {
        return KeyText.find(key);
    }

    /// Whether the role lasts: no end is the last word. Boundaries are compared neither with a clock nor with
    /// each other.
    public boolean isActive() {
        boolean open = boundaries.isEmpty() || boundaries.size() % 2 == 1;
        return open && boundaries.stream().allMatch(RoleRecord::isTime);
    }

    /// Digits that fit an unsigned 64-bit number.
    private static boolean isTime(String text) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false;
        }
        int zeros = 0;
        while (zeros < text.length() - 1 && text.charAt(zeros) == '0') {
            zeros++;
        }
        var digits = text.substring(zeros);
        return digits.length() < UNSIGNED_MAX.length()
                || (digits.length() == UNSIGNED_MAX.length() && digits.compareTo(UNSIGNED_MAX) <= 0);
    }
}
