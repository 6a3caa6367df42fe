package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.legacy.FilePass.Summary;
import dev.grapnel.purgatory.legacy.ImportCounts.Tally;
import dev.grapnel.purgatory.legacy.LegacyEntry.Pushed;
import dev.grapnel.purgatory.legacy.LegacyEntry.Remembered;
import dev.grapnel.purgatory.legacy.LegacyEntry.Unfit;
import dev.grapnel.purgatory.legacy.LegacyEntry.Waiting;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.Upload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The first walk: what can be used, found out before anything is changed, and all that is costly to find out.
///
/// Of an entry it keeps two bits, and of those that name pushes the pushes, [#PUSHES_MAX] altogether.
final class Survey implements FilePass.Visitor {
    /// How many of those that cannot be used are told one by one.
    static final int EXAMPLES_MAX = 20;

    private static final int PUSHES_MAX = 50_000;

    private final EntryCheck check;
    private final Predicate<RepositoryAddress> hasRepository;
    private final Tally tally = new Tally();
    private final BitSet usable = new BitSet();
    private final BitSet invalid = new BitSet();
    private final List<Example> examples = new ArrayList<>();
    private final Map<Integer, List<OldPush>> pushes = new HashMap<>();
    private int pushCount;

    /// An entry that cannot be used.
    record Example(OldMap map, String key, String reason) {}

    /// What the second walk needs to know.
    ///
    /// @param counts of what is not used
    /// @param examples the first entries that are invalid
    record Findings(
            Summary summary,
            ImportCounts counts,
            BitSet usable,
            BitSet invalid,
            List<Example> examples,
            Map<Integer, List<OldPush>> pushes) {
        /// Makes the staging areas. What has none is left out.
        Map<Integer, List<Upload>> stage(OldUploads uploads) throws IOException {
            var staged = new HashMap<Integer, List<Upload>>();
            for (var entry : pushes.entrySet()) {
                var made = new ArrayList<Upload>();
                for (var push : entry.getValue()) {
                    uploads.stage(push).ifPresent(area -> made.add(push.upload(area)));
                }
                staged.put(entry.getKey(), List.copyOf(made));
            }
            return staged;
        }
    }

    private Survey(EntryCheck check, Predicate<RepositoryAddress> hasRepository) {
        this.check = check;
        this.hasRepository = hasRepository;
    }

    static Findings of(Path file, EntryCheck check, Predicate<RepositoryAddress> hasRepository) throws IOException {
        var survey = new Survey(check, hasRepository);
        var summary = FilePass.walk(file, survey);
        return new Findings(
                summary,
                survey.tally.counts(),
                survey.usable,
                survey.invalid,
                List.copyOf(survey.examples),
                survey.pushes);
    }

    @Override
    public void entry(int number, OldMap map, String key, Optional<byte[]> json) {
        switch (check.check(map, key, json)) {
            case Unfit(var store, var reason) -> {
                invalid.set(number);
                tally.add(store, Fate.INVALID);
                if (examples.size() < EXAMPLES_MAX) {
                    examples.add(new Example(map, key, reason));
                }
            }
            case Waiting waiting -> {
                if (isWithoutRepository(waiting)) {
                    tally.add(waiting.store(), Fate.WITHOUT_REPOSITORY);
                } else {
                    usable.set(number);
                    keep(number, waiting.pushes());
                }
            }
            case Pushed pushed -> {
                usable.set(number);
                keep(number, pushed.pushes());
            }
            case Remembered _ -> usable.set(number);
        }
    }

    private boolean isWithoutRepository(Waiting waiting) {
        return waiting.row(Instant.EPOCH, Instant.EPOCH, List.of()) instanceof HeldAnnouncement row
                && !hasRepository.test(row.repository());
    }

    private void keep(int number, List<OldPush> some) {
        if (!some.isEmpty() && pushCount + some.size() <= PUSHES_MAX) {
            pushes.put(number, some);
            pushCount += some.size();
        }
    }
}
