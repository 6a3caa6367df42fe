package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Whom one announcement names: everything that decides about maintainers, read once (service 5.1.1).
///
/// @param hasRoles whether there is any `M`, `m` or `o` tag, well-formed or not; it switches `maintainers`
///     off
/// @param listed those named as maintainers, without the author; ascending, each once
/// @param leads those named as lead, the author included; ascending, each once
/// @param moderators those named as moderators; ascending, each once
/// @param isActive false if the author has left
public record Roster(
        PublicKey author,
        boolean hasRoles,
        List<PublicKey> listed,
        List<PublicKey> leads,
        List<PublicKey> moderators,
        boolean isActive) {
    public Roster {
        listed = List.copyOf(listed);
        leads = List.copyOf(leads);
        moderators = List.copyOf(moderators);
    }

    /// Reads role records; `maintainers` are the values of such tags, read only if there is no record at all.
    public static Roster of(PublicKey author, List<RoleRecord> records, List<String> maintainers) {
        return records.isEmpty() ? ofMaintainers(author, maintainers) : ofRoles(author, records);
    }

    /// Whether this person is listed.
    public boolean lists(PublicKey person) {
        return Collections.binarySearch(listed, person) >= 0;
    }

    /// Whether this person is listed or named as moderator: reason enough to keep that person's announcement
    /// (service 4.4.4).
    public boolean names(PublicKey person) {
        return lists(person) || Collections.binarySearch(moderators, person) >= 0;
    }

    private static Roster ofMaintainers(PublicKey author, List<String> maintainers) {
        var listed = sorted(maintainers.stream()
                .flatMap(text -> KeyText.find(text).stream())
                .filter(key -> !key.equals(author)));
        return new Roster(author, false, listed, List.of(), List.of(), true);
    }

    private static Roster ofRoles(PublicKey author, List<RoleRecord> records) {
        var listed = active(records, Role::lists);
        return new Roster(
                author,
                true,
                listed.stream().filter(key -> !key.equals(author)).toList(),
                active(records, role -> role == Role.LEAD),
                active(records, role -> role == Role.MODERATOR),
                listed.contains(author) || isUnnamed(author, records));
    }

    private static List<PublicKey> active(List<RoleRecord> records, Predicate<Role> wanted) {
        return sorted(records.stream()
                .filter(record -> wanted.test(record.role()) && record.isActive())
                .flatMap(record -> record.findKey().stream()));
    }

    private static boolean isUnnamed(PublicKey author, List<RoleRecord> records) {
        return records.stream()
                .noneMatch(record -> record.findKey().filter(author::equals).isPresent());
    }

    private static List<PublicKey> sorted(Stream<PublicKey> keys) {
        return keys.sorted().distinct().toList();
    }
}
