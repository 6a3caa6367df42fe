package dev.grapnel.server.control;

import dev.grapnel.git.maintenance.Finding;
import dev.grapnel.git.maintenance.GitCheck;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.reconcile.Divergence;
import dev.grapnel.purgatory.reconcile.IntegrityFindings;
import dev.grapnel.purgatory.reconcile.IntegrityPass;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.TrashRecord;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.RowPages;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares every repository with what its events say, while the server serves or while none runs (service 10.4).
/// One at a time: it reads every repository.
public final class CheckAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "check";

    private static final Logger LOG = LoggerFactory.getLogger(CheckAnswer.class);
    private static final int REFS_MAX = 1_000;

    private final IntegrityPass pass;
    private final IntegrityFindings told;
    private final Repositories repositories;
    private final EventStore store;
    private final Releasing releasing;
    private final InstantSource clock;
    private final Semaphore turn = new Semaphore(1);

    /// @param told who hears of what a check of everything finds, besides the operator
    public CheckAnswer(
            IntegrityPass pass,
            IntegrityFindings told,
            Repositories repositories,
            EventStore store,
            Releasing releasing,
            InstantSource clock) {
        this.pass = pass;
        this.told = told;
        this.repositories = repositories;
        this.store = store;
        this.releasing = releasing;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var wish = Wish.of(request);
        if (!turn.tryAcquire()) {
            throw new ControlRefusal("repositories are being checked already; wait until that is done");
        }
        try {
            check(wish, output);
        } finally {
            turn.release();
        }
    }

    /// What is wanted.
    ///
    /// @param repairs whether to put right what can be
    /// @param readsObjects whether all objects that refs reach are read
    private record Wish(Optional<Identifier> identifier, boolean repairs, boolean readsObjects) {
        static Wish of(ControlRequest request) throws ControlRefusal {
            return new Wish(
                    findIdentifier(request),
                    request.arguments().isTrue("repair"),
                    request.arguments().isTrue("objects"));
        }
    }

    static Optional<Identifier> findIdentifier(ControlRequest request) throws ControlRefusal {
        var text = request.arguments().findText("identifier");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return switch (Identifier.parse(text.get())) {
            case Parsed.Valid<Identifier>(var identifier) -> Optional.of(identifier);
            case Parsed.Invalid<Identifier>(var reason) ->
                throw new ControlRefusal("no repository is called that: " + reason);
        };
    }

    private void check(Wish wish, ControlOutput output) throws IOException {
        var identifiers = wish.identifier().map(List::of).orElseGet(pass::identifiers);
        var run = new Run(wish, output, told.begin());
        for (int i = 0; i < identifiers.size(); i++) {
            output.requireWanted();
            run.check(identifiers.get(i));
            output.progress(new JsonWriter(64)
                    .raw("{\"done\":")
                    .number(i + 1)
                    .raw(",\"total\":")
                    .number(identifiers.size())
                    .raw("}"));
        }
        if (wish.identifier().isEmpty()) {
            run.counting.publish(wish.readsObjects());
        }
        listTrash(wish, output);
        LOG.info("repositories checked repositories={} differences={} left={}", run.looked, run.found, run.left);
        output.line(run.summary());
    }

    /// One check, name by name. Used by one thread.
    private final class Run {
        private final Wish wish;
        private final ControlOutput output;
        private final IntegrityFindings.Counting counting;
        private int looked;
        private int found;
        private int left;
        private int queued;

        Run(Wish wish, ControlOutput output, IntegrityFindings.Counting counting) {
            this.wish = wish;
            this.output = output;
            this.counting = counting;
        }

        void check(Identifier identifier) throws IOException {
            var findings = pass.look(identifier);
            looked += findings.looked().size();
            var divergences = findings.divergences();
            found += divergences.size();
            if (wish.repairs() && divergences.stream().anyMatch(Divergence::isRepairable)) {
                divergences = repair(identifier, divergences);
                queued += repairable(divergences).size();
            }
            tell(divergences);
            if (wish.readsObjects()) {
                readObjects(identifier, findings.looked());
            } else {
                openTips(identifier, findings.readable());
            }
        }

        private void tell(List<Divergence> divergences) throws IOException {
            for (var divergence : divergences) {
                output.line(json(divergence));
                counting.note(divergence);
            }
            left += divergences.size();
        }

        private void openTips(Identifier identifier, List<RepositoryAddress> addresses) throws IOException {
            var broken = tips(addresses);
            found += broken.size();
            var incomplete = broken.stream()
                    .filter(Divergence.Incomplete.class::isInstance)
                    .map(Divergence::repository)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (complete(identifier, incomplete)) {
                broken = tips(addresses);
            }
            tell(broken);
        }

        private List<Divergence> tips(List<RepositoryAddress> addresses) throws IOException {
            var broken = new ArrayList<Divergence>();
            for (var address : addresses) {
                output.requireWanted();
                broken.addAll(pass.lookAtTips(address));
            }
            return broken;
        }

        private void readObjects(Identifier identifier, List<RepositoryAddress> addresses) throws IOException {
            var broken = damages(addresses);
            found += broken.values().stream().mapToInt(List::size).sum();
            if (complete(identifier, broken.keySet())) {
                broken = damages(addresses);
            }
            for (var damaged : broken.entrySet()) {
                for (var sentence : damaged.getValue()) {
                    output.line(json(damaged.getKey(), "damaged", sentence, false));
                    counting.note(damaged.getKey(), Divergence.Kind.OBJECTS, "*");
                    left++;
                }
            }
        }

        private SequencedMap<RepositoryAddress, List<String>> damages(List<RepositoryAddress> addresses)
                throws IOException {
            var broken = new LinkedHashMap<RepositoryAddress, List<String>>();
            for (var address : addresses) {
                output.requireWanted();
                var sentences = CheckAnswer.this.damages(address);
                if (!sentences.isEmpty()) {
                    broken.put(address, sentences);
                }
            }
            return broken;
        }

        /// Has brought what is missing from wherever else it is, if that is wanted.
        ///
        /// @return whether something may have changed
        private boolean complete(Identifier identifier, Collection<RepositoryAddress> incomplete) {
            boolean isWanted = wish.repairs() && !incomplete.isEmpty();
            if (isWanted) {
                try {
                    pass.noteLacking(incomplete);
                    queued += incomplete.size();
                    releasing.release(identifier);
                } catch (IOException e) { // what could not be brought is told as still missing
                    LOG.warn("repositories not completed identifier={} reason={}", identifier, e.getMessage());
                }
            }
            return isWanted;
        }

        JsonWriter summary() {
            return new JsonWriter(128)
                    .raw("{\"repositories\":")
                    .number(looked)
                    .raw(",\"differences\":")
                    .number(found)
                    .raw(",\"left\":")
                    .number(left)
                    .raw(",\"queued\":")
                    .number(queued)
                    .raw("}");
        }
    }

    /// What is different still.
    private List<Divergence> repair(Identifier identifier, List<Divergence> divergences) throws IOException {
        pass.queue(repairable(divergences));
        try {
            releasing.release(identifier);
        } catch (IOException e) { // what it could not put right is told as still different
            LOG.warn("repositories not put right identifier={} reason={}", identifier, e.getMessage());
        }
        return pass.look(identifier).divergences();
    }

    private List<String> damages(RepositoryAddress address) {
        try {
            var place = repositories.findPlace(address);
            return place.isEmpty()
                    ? List.of()
                    : GitCheck.run(place.get().directory(), clock.instant(), _ -> {}).stream()
                            .map(Finding::sentence)
                            .toList();
        } catch (IOException e) { // the others are read all the same
            return List.of("it cannot be read to its end: " + e);
        }
    }

    private static Set<RepositoryAddress> repairable(List<Divergence> divergences) {
        return divergences.stream()
                .filter(Divergence::isRepairable)
                .map(Divergence::repository)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static JsonWriter json(Divergence divergence) {
        return json(divergence.repository(), divergence.word(), divergence.sentence(), divergence.isRepairable());
    }

    private static JsonWriter json(RepositoryAddress address, String word, String sentence, boolean isRepairable) {
        return begin(address)
                .raw(",\"problem\":")
                .string(word)
                .raw(",\"sentence\":")
                .string(sentence)
                .raw(",\"repairable\":")
                .raw(Boolean.toString(isRepairable))
                .raw("}");
    }

    /// An object that begins with the repository.
    static JsonWriter begin(RepositoryAddress address) {
        return new JsonWriter(512)
                .raw("{\"owner\":")
                .string(new Npub(address.owner()).text())
                .raw(",\"identifier\":")
                .string(address.identifier().text());
    }

    private void listTrash(Wish wish, ControlOutput output) throws IOException {
        RowPages.<IOException>forEach(store, Table.TRASH, row -> {
            if (row instanceof TrashRecord trash
                    && wish.identifier()
                            .map(trash.repository().identifier()::equals)
                            .orElse(true)) {
                output.line(json(trash));
            }
        });
    }

    private static JsonWriter json(TrashRecord trash) {
        var out = begin(trash.repository())
                .raw(",\"trash\":")
                .string(trash.stateId().toHex())
                .raw(",\"removedAt\":")
                .string(trash.removedAt().toString())
                .raw(",\"until\":")
                .string(trash.until().toString())
                .raw(",\"refCount\":")
                .number(trash.refs().size())
                .raw(",\"refs\":{");
        var before = "";
        for (var ref : trash.refs().entrySet().stream().limit(REFS_MAX).toList()) {
            out.raw(before)
                    .string(ref.getKey().text())
                    .raw(":")
                    .string(ref.getValue().toString());
            before = ",";
        }
        return out.raw("}}");
    }
}
