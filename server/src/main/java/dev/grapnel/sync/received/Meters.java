package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.Optional;

/// Which events count for a quota of their relay (R7.14a): what anybody can make any number of without a repository
/// that is served here. Announcements count if they are held; GRASP lists if they are stored. Beyond that number only
/// the first list is taken of who has something here, for there are no more of those than of such people.
final class Meters {
    private final RelayNames relays;
    private final Archive archive;
    private final Quotas announcements;
    private final Quotas lists;

    /// @param max of each, of one relay in an hour
    Meters(IntakeParts parts, int max) {
        this.relays = parts.relays();
        this.archive = parts.archive();
        this.announcements = new Quotas(parts.loop(), max);
        this.lists = new Quotas(parts.loop(), max);
    }

    /// What counts it, if something does.
    Optional<Quotas> find(Passage passage) {
        return passage.isCopy() || relays.isBootstrap(passage.relay()) ? Optional.empty() : ofKind(passage);
    }

    private Optional<Quotas> ofKind(Passage passage) {
        return switch (passage.event().kind()) {
            case Kinds.ANNOUNCEMENT -> Optional.of(announcements);
            case Kinds.GRASP_LIST -> Optional.of(lists);
            default -> Optional.empty();
        };
    }

    /// Whether it is taken beyond the number.
    boolean isExempt(Passage passage) {
        var event = passage.event();
        return event.kind() == Kinds.GRASP_LIST && archive.isListless(event.author());
    }

    /// Whether what came of it is what is counted.
    static boolean isNew(Passage passage, Ruling ruling) {
        return passage.event().kind() == Kinds.GRASP_LIST
                ? ruling instanceof Ruling.Stored
                : ruling instanceof Ruling.Held;
    }

    void tidy() {
        announcements.tidy();
        lists.tidy();
    }
}
