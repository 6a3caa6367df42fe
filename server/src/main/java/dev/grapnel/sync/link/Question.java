package dev.grapnel.sync.link;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.index.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One filter without its window: a chunk asked for by one letter, or a part of its values (R4.19a).
///
/// @param letter the tag; blank for announcements
/// @param part the values that are meant, if not all; for announcements the kinds
record Question(Chunk chunk, char letter, Optional<List<String>> part) {
    static final char NONE = ' ';

    static Question announcements(int relay) {
        return new Question(Chunk.announcements(relay), NONE, Optional.empty());
    }

    static Question of(Chunk chunk, char letter) {
        return new Question(chunk, letter, Optional.empty());
    }

    /// By every letter of its layer.
    static List<Question> allOf(Chunk chunk) {
        if (chunk.layer() == Layer.ANNOUNCEMENTS) {
            return List.of(of(chunk, NONE));
        }
        var all = new ArrayList<Question>();
        for (char letter : chunk.layer().letters().toCharArray()) {
            all.add(of(chunk, letter));
        }
        return all;
    }

    Question with(List<String> values) {
        return new Question(chunk, letter, Optional.of(List.copyOf(values)));
    }

    /// How many values it had when it was made.
    int width() {
        return part.map(List::size).orElse(chunk.size());
    }

    /// What it asks for now.
    List<String> values(Targets targets, LinkConfig config) {
        return part.orElseGet(() -> chunk.layer() == Layer.ANNOUNCEMENTS
                ? firstLayer(config).stream().map(String::valueOf).toList()
                : chunk.values(targets));
    }

    /// The filter; empty if nothing is left to ask for.
    Optional<Filter.Builder> filter(Targets targets, LinkConfig config) {
        var values = values(targets, config);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (chunk.layer()) {
                    case ANNOUNCEMENTS ->
                        Filter.builder()
                                .kinds(values.stream()
                                        .mapToInt(Integer::parseInt)
                                        .toArray());
                    case STATES -> Filter.builder().kinds(Kinds.STATE).tag(letter, values);
                    case TAGS, ROOTS, THREADS, THREAD_ADDRESSES ->
                        Filter.builder().tag(letter, values);
                });
    }

    private static List<Integer> firstLayer(LinkConfig config) {
        return config.asksStatesInFirstLayer()
                ? config.keepsGraspLists()
                        ? List.of(Kinds.ANNOUNCEMENT, Kinds.STATE, Kinds.GRASP_LIST)
                        : List.of(Kinds.ANNOUNCEMENT, Kinds.STATE)
                : config.keepsGraspLists()
                        ? List.of(Kinds.ANNOUNCEMENT, Kinds.GRASP_LIST)
                        : List.of(Kinds.ANNOUNCEMENT);
    }
}
