package dev.grapnel.git.push;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import dev.grapnel.git.pack.Intake;
import dev.grapnel.git.pack.ReceivedPack;
import dev.grapnel.git.reach.Neighbours;
import dev.grapnel.git.reach.Reach;
import dev.grapnel.git.repository.Inventory;
import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/// What a push may rest on: that which everybody may see anyway, here and in repositories of the same name.
///
/// Whoever could rest on something hidden would make it visible: a commit that names it, or a delta that
/// copies it, would carry it out. So hidden and missing are the same, down to the words.
public final class Foundation {
    /// A push with a reason changes some of what it finds, and borrows what stands beside it.
    private static final int BORROWED_MAX = 500_000;

    private static final int HIDDEN_MAX = 32;

    private final Ground own;
    private final List<Ground> others;

    /// A repository on which a push may rest.
    ///
    /// @param tips what it shows; a set, because it is asked about each of many objects
    public record Ground(RepositoryLease repository, SequencedSet<ObjectId> tips) {
        public Ground {
            tips = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(tips));
        }
    }

    /// @param own where the push goes
    /// @param others whose tips were offered to the client as well
    public Foundation(Ground own, List<Ground> others) {
        this.own = own;
        this.others = List.copyOf(others);
    }

    List<RepositoryLease> others() {
        return others.stream().map(Ground::repository).toList();
    }

    /// Looks whether the commands name what is here, and whether all of it rests on what may be seen.
    ///
    /// @param pack what came, if anything did
    Findings examine(Push push, @Nullable ReceivedPack pack, Quarantine quarantine) throws IOException {
        if (pack != null && pack.borrowed().size() > BORROWED_MAX) {
            return tooMany();
        }
        try (var all = quarantine.all()) {
            var tips = new HashSet<ObjectId>();
            for (var command : push.commands()) {
                if (!command.isDeletion()) {
                    tips.add(GitIds.of(command.after()));
                }
            }
            var findings = ground(borrowed(tips, pack), tips, pack, all);
            if (findings instanceof Findings.Sound) { // only now nothing that is told gives away what is hidden
                for (var command : push.commands()) {
                    if (!command.isDeletion() && isWrong(command, all)) {
                        return new Findings.Flaw(command.ref() + " is a branch, and must name a commit");
                    }
                }
            }
            return findings;
        }
    }

    /// What to tell about a pack that was refused. What is wrong with it may show what is in the objects on which it
    /// rests, so that is told only if everybody may see those.
    Findings.Flaw explain(Intake.Refused refused, Quarantine quarantine) throws IOException {
        if (refused.lookedFor().size() > BORROWED_MAX) {
            return tooMany();
        }
        var lookedFor = new LinkedHashSet<ObjectId>();
        refused.lookedFor().forEach(id -> lookedFor.add(GitIds.of(id)));
        try (var all = quarantine.all()) {
            return ground(lookedFor, Set.of(), null, all) instanceof Findings.Flaw hidden
                    ? hidden
                    : new Findings.Flaw(refused.reason());
        }
    }

    private static Findings.Flaw tooMany() {
        return new Findings.Flaw("rests on more than " + BORROWED_MAX + " objects that did not come with it");
    }

    /// What becomes of looking.
    sealed interface Findings {
        /// All is well.
        ///
        /// @param lent what must be copied from other repositories, so that this one is complete in itself
        record Sound(List<Loan> lent) implements Findings {
            public Sound {
                lent = List.copyOf(lent);
            }
        }

        /// Something is not.
        ///
        /// @param reason for the client
        record Flaw(String reason) implements Findings {}

        /// It is not the client's fault that nobody knows.
        ///
        /// @param reason for the client
        record Failure(String reason) implements Findings {}
    }

    /// Objects that are only in another repository.
    public record Loan(RepositoryLease from, Set<Oid> objects) {
        public Loan {
            objects = Set.copyOf(objects);
        }
    }

    private static boolean isWrong(PushCommand command, ObjectReader all) throws IOException {
        return command.ref().startsWith(RefName.BRANCHES)
                && all.open(GitIds.of(command.after())).getType() != ObjectType.COMMIT.number();
    }

    /// Everything that did not come with the pack; what is looked for first comes first.
    private static SequencedSet<ObjectId> borrowed(Set<ObjectId> tips, @Nullable ReceivedPack pack) {
        var borrowed = new LinkedHashSet<ObjectId>();
        if (pack != null) {
            pack.borrowed().forEach(id -> borrowed.add(GitIds.of(id)));
        }
        for (var tip : tips) {
            if (pack == null || pack.findType(GitIds.of(tip)).isEmpty()) {
                borrowed.add(tip);
            }
        }
        return borrowed;
    }

    private Findings ground(
            SequencedSet<ObjectId> borrowed, Set<ObjectId> tips, @Nullable ReceivedPack pack, ObjectReader all)
            throws IOException {
        var open = new HashSet<>(borrowed);
        var lent = new ArrayList<Loan>();
        for (var ground : grounds()) {
            if (open.isEmpty()) {
                break;
            }
            var here = takePresent(open, ground);
            setAsideHidden(here, open, ground, tips, pack, all);
            if (!ground.equals(own) && !here.isEmpty()) {
                lent.add(new Loan(ground.repository(), ids(here)));
            }
        }
        return borrowed.stream()
                .filter(open::contains)
                .findFirst()
                .<Findings>map(id -> new Findings.Flaw("missing object " + id.name()))
                .orElseGet(() -> new Findings.Sound(lent));
    }

    /// What one repository hides another may show.
    private static void setAsideHidden(
            Set<ObjectId> here,
            Set<ObjectId> open,
            Ground ground,
            Set<ObjectId> tips,
            @Nullable ReceivedPack pack,
            ObjectReader all)
            throws IOException {
        for (int i = 0; i < HIDDEN_MAX; i++) {
            var hidden = findHidden(here, ground, tips, pack, all);
            if (hidden.isEmpty()) {
                return;
            }
            here.remove(hidden.get());
            open.add(hidden.get());
        }
        open.addAll(here);
        here.clear();
    }

    private List<Ground> grounds() {
        return Stream.concat(Stream.of(own), others.stream()).toList();
    }

    private static Set<Oid> ids(Set<ObjectId> objects) {
        var ids = new HashSet<Oid>();
        objects.forEach(id -> ids.add(GitIds.of(id)));
        return ids;
    }

    private static Set<ObjectId> takePresent(Set<ObjectId> open, Ground ground) throws IOException {
        var present = new HashSet<ObjectId>();
        var inventory = Inventory.of(ground.repository());
        for (var id : open) {
            if (inventory.has(id)) {
                present.add(id);
            }
        }
        open.removeAll(present);
        return present;
    }

    private static Optional<ObjectId> findHidden(
            Set<ObjectId> objects, Ground ground, Set<ObjectId> tips, @Nullable ReceivedPack pack, ObjectReader all)
            throws IOException {
        var open = new HashSet<>(objects);
        open.removeAll(ground.tips());
        if (open.isEmpty()) {
            return Optional.empty();
        }
        try (var reader = ground.repository().objects().newReader()) {
            var reach = new Reach(reader, ground.tips());
            if (pack != null) {
                new Neighbours(all, id -> pack.findType(GitIds.of(id)).isPresent(), open).strikeOut(tips, reach);
            }
            return reach.findUnreachable(open);
        }
    }
}
