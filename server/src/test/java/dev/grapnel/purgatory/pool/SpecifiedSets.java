package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.MaintainerModel;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Maintainer sets as the text of service 5.1 computes them, line by line, from the tags of announcements.
/// Nothing is kept and nothing is shared with the code under test: keys are text here.
public final class SpecifiedSets {
    private static final int LIMIT = 256;
    private static final BigInteger UNSIGNED_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private final Map<String, Reading> announcements = new TreeMap<>();
    private final MaintainerModel model;

    /// What one announcement says (service 5.1.1).
    public record Reading(
            SortedSet<String> listed, SortedSet<String> leads, SortedSet<String> moderators, boolean isActive) {
        /// Reads the tags of an announcement.
        public static Reading of(String author, List<List<String>> tags) {
            var records = tags.stream()
                    .filter(tag -> Set.of("M", "m", "o").contains(tag.getFirst()))
                    .toList();
            var listed = new TreeSet<String>();
            var leads = new TreeSet<String>();
            var moderators = new TreeSet<String>();
            boolean isNamed = false;
            boolean hasOwnRole = false;
            for (var tag : records) {
                var key = tag.size() > 1 ? key(tag.get(1)) : "";
                if (key.isEmpty()) {
                    continue;
                }
                boolean isActive = isActive(tag.subList(2, tag.size()));
                isNamed |= key.equals(author);
                switch (tag.getFirst()) {
                    case "M" -> addIf(isActive, key, List.of(listed, leads));
                    case "m" -> addIf(isActive, key, List.of(listed));
                    default -> addIf(isActive, key, List.of(moderators));
                }
                hasOwnRole |= isActive && key.equals(author) && !tag.getFirst().equals("o");
            }
            if (records.isEmpty()) {
                for (var tag : tags) {
                    if (tag.getFirst().equals("maintainers")) {
                        tag.stream().skip(1).map(Reading::key).forEach(listed::add);
                    }
                }
                listed.remove("");
            }
            listed.remove(author);
            return new Reading(listed, leads, moderators, !isNamed || hasOwnRole);
        }

        private static void addIf(boolean isActive, String key, List<Set<String>> sets) {
            if (isActive) {
                sets.forEach(set -> set.add(key));
            }
        }

        private static String key(String text) {
            return text.matches("[0-9a-fA-F]{64}") ? text.toLowerCase(Locale.ROOT) : "";
        }

        private static boolean isActive(List<String> boundaries) {
            boolean isOpen = boundaries.isEmpty() || boundaries.size() % 2 == 1;
            return isOpen
                    && boundaries.stream()
                            .allMatch(text ->
                                    text.matches("[0-9]+") && new BigInteger(text).compareTo(UNSIGNED_MAX) <= 0);
        }
    }

    /// M(O,d), why it is empty, where the lead path ended, and who is invited by whom.
    public record Resolved(
            SortedSet<String> members,
            Optional<String> failure,
            Optional<String> root,
            SortedMap<String, String> invited) {
        public boolean contains(String person) {
            return members.contains(person);
        }
    }

    /// @param model by which sets are found
    public SpecifiedSets(MaintainerModel model) {
        this.model = model;
    }

    /// Adds the newest announcement of an author.
    public void put(String author, List<List<String>> tags) {
        announcements.put(author, Reading.of(author, tags));
    }

    /// What the newest announcement of an author says, if there is one.
    public Optional<Reading> find(String author) {
        return Optional.ofNullable(announcements.get(author));
    }

    /// Whether there is none at all.
    public boolean isEmpty() {
        return announcements.isEmpty();
    }

    /// M(owner).
    public Resolved of(String owner) {
        return switch (model) {
            case CONFIRMED -> confirmed(owner);
            case RECURSIVE -> recursive(owner);
        };
    }

    private Resolved confirmed(String owner) {
        var root = owner;
        var seen = new HashSet<String>();
        while (true) {
            if (seen.contains(root)) {
                return failed("lead cycle");
            }
            if (seen.size() == LIMIT) {
                return failed("lead path too long");
            }
            seen.add(root);
            var announcement = announcements.get(root);
            if (announcement == null) {
                return failed(
                        root.equals(owner) ? "no announcement" : "lead " + npub(root) + " has no announcement here");
            }
            var leads = announcement.leads();
            if (leads.size() > 1) {
                return failed("several leads at " + npub(root));
            }
            if (leads.equals(Set.of(root))) {
                break;
            }
            if (leads.isEmpty() && !root.equals(owner)) {
                return failed("lead " + npub(root) + " does not declare itself lead");
            }
            if (leads.isEmpty() && !announcement.isActive()) {
                return failed("owner has ended its own role");
            }
            if (leads.isEmpty()) {
                break;
            }
            root = leads.first();
        }
        var found = new TreeSet<>(Set.of(root));
        while (true) {
            var before = new TreeSet<>(found);
            for (var y : listedBy(before)) {
                var announcement = announcements.get(y);
                if (!before.contains(y)
                        && found.size() < LIMIT
                        && announcement != null
                        && announcement.isActive()
                        && announcement.listed().stream().anyMatch(before::contains)) {
                    found.add(y);
                }
            }
            if (found.equals(before)) {
                return new Resolved(found, Optional.empty(), Optional.of(root), invited(found));
            }
        }
    }

    private SortedSet<String> listedBy(Set<String> people) {
        var listed = new TreeSet<String>();
        for (var x : people) {
            var announcement = announcements.get(x);
            if (announcement != null) {
                listed.addAll(announcement.listed());
            }
        }
        return listed;
    }

    private SortedMap<String, String> invited(SortedSet<String> members) {
        var invited = new TreeMap<String, String>();
        for (var x : members) {
            var announcement = announcements.get(x);
            for (var y : announcement == null ? Set.<String>of() : announcement.listed()) {
                boolean hasLeft =
                        announcements.containsKey(y) && !announcements.get(y).isActive();
                if (!members.contains(y) && !hasLeft) {
                    invited.putIfAbsent(y, x);
                }
            }
        }
        return invited;
    }

    private Resolved recursive(String owner) {
        if (!announcements.containsKey(owner)) {
            return failed("no announcement");
        }
        var found = new TreeSet<>(Set.of(owner));
        while (true) {
            var before = new TreeSet<>(found);
            for (var y : listedBy(before)) {
                if (found.size() < LIMIT) {
                    found.add(y);
                }
            }
            if (found.equals(before)) {
                return new Resolved(found, Optional.empty(), Optional.of(owner), new TreeMap<>());
            }
        }
    }

    private static Resolved failed(String reason) {
        return new Resolved(new TreeSet<>(), Optional.of(reason), Optional.empty(), new TreeMap<>());
    }

    /// How a key is written for people.
    public static String npub(String key) {
        return new Npub(PublicKey.parse(key).require()).toString();
    }
}
