package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import dev.grapnel.sync.link.ChunkMaker.Sizes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is streamed where too much is wanted to be named (R8.6): one filter for all, and for relays that are no GRASP
/// servers, whose filter is by kind, tag filters for what something happened to last. Those are renewed now and then.
final class WidePlan {
    private static final int RECENT_FILTERS_MAX = 60;
    private static final Duration RENEWAL = Duration.ofMinutes(5);
    private static final String TAGS = "aAq";
    private static final String ROOTS = "eEq";

    /// What a value costs beside its own length.
    private static final int BESIDE = 3;

    private static final int[] KINDS = {
        Kinds.STATE,
        1617,
        1618,
        1619,
        1621,
        1630,
        1631,
        1632,
        1633,
        1111,
        Kinds.LABEL,
        5,
        7,
        1624,
        1984,
        9735,
        9840,
        9841,
        9842,
        39_842
    };

    private final Link link;
    private boolean isArmed;

    WidePlan(Link link) {
        this.link = link;
    }

    /// The filter for all; what it brings that touches nothing wanted is thrown away.
    LiveGroup all() {
        int limit = link.bearing().liveLimit();
        var filter = isGrasp()
                ? Filter.builder().limit(limit).build()
                : Filter.builder().kinds(KINDS).limit(limit).build();
        return new LiveGroup(link, List.of(), Optional.of(filter));
    }

    private boolean isGrasp() {
        return link.bearing().information().isGrasp();
    }

    /// Filters for what something happened to last.
    List<Question> recent(Sizes sizes) {
        if (isGrasp()) {
            return List.of(); // its one filter leaves nothing out
        }
        var selection = new Selection(sizes.width());
        link.targets().forEachRecentRoot(selection::add);
        var questions = new ArrayList<Question>();
        ask(Layer.TAGS, TAGS, selection.references, sizes, questions);
        ask(Layer.ROOTS, ROOTS, selection.ids, sizes, questions);
        return questions.subList(0, Math.min(questions.size(), filtersMax()));
    }

    private int filtersMax() {
        return Math.max(0, Math.min(RECENT_FILTERS_MAX, link.config().liveFiltersMax() - 2));
    }

    private void ask(Layer layer, String letters, Set<String> values, Sizes sizes, List<Question> questions) {
        var part = new ArrayList<String>();
        int bytes = 0;
        for (var value : values) {
            int cost = value.getBytes(StandardCharsets.UTF_8).length + BESIDE;
            if (!part.isEmpty() && (part.size() == sizes.width() || bytes + cost > sizes.bytesMax())) {
                ask(layer, letters, part, bytes, questions);
                part.clear();
                bytes = 0;
            }
            part.add(value);
            bytes += cost;
        }
        if (!part.isEmpty()) {
            ask(layer, letters, part, bytes, questions);
        }
    }

    private void ask(Layer layer, String letters, List<String> part, int bytes, List<Question> questions) {
        var chunk = new Chunk(layer, link.relay(), new int[0], part.size(), bytes);
        letters.chars()
                .forEach(letter ->
                        questions.add(Question.of(chunk, (char) letter).with(part)));
    }

    /// Roots and their repositories, as many as there are filters for.
    private final class Selection {
        private final Targets targets = link.targets();
        private final int width;
        private final Set<String> references = new LinkedHashSet<>();
        private final Set<String> ids = new LinkedHashSet<>();
        private boolean isFull;

        private Selection(int width) {
            this.width = width;
        }

        void add(int root) {
            if (isFull) {
                return;
            }
            targets.forEachRepoOf(root, repo -> {
                int pair = targets.findPair(link.relay(), repo);
                if (pair >= 0 && targets.level(repo) == Level.FULL) {
                    references.add(targets.reference(repo));
                    ids.add(targets.rootId(root).toString());
                }
            });
            int filters = TAGS.length() * chunks(references) + ROOTS.length() * chunks(ids);
            isFull = filters > filtersMax() - ROOTS.length();
        }

        private int chunks(Set<String> values) {
            return (values.size() + width - 1) / width;
        }
    }

    /// Values whose events of other kinds come only with the next full comparison (R8.7).
    long unnamed(PlanSize size, List<LiveGroup> groups) {
        long named = groups.stream()
                .flatMap(group -> group.questions().stream())
                .map(Question::chunk)
                .distinct()
                .mapToLong(Chunk::size)
                .sum();
        return isGrasp() ? 0 : Math.max(0, size.tags() + size.roots() + size.threads() - named);
    }

    /// Something happened to what is wanted.
    void changed() {
        if (!isArmed && !isGrasp()) {
            isArmed = true;
            link.loop().after(RENEWAL, () -> {
                isArmed = false;
                link.plan().renewWide(); // on whatever connection: what came up on a later one waits for this, too
            });
        }
    }
}
