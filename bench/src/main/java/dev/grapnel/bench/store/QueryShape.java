package dev.grapnel.bench.store;

import dev.grapnel.bench.Landmarks;
import dev.grapnel.bench.Popularity;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/// What git clients and other servers ask (relay 7.2), with values that occur in the store.
public enum QueryShape {
    ONE_ID("one id") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().ids(some(marks.recentEvents(Landmarks.MAX), 1, random));
        }
    },
    HUNDRED_IDS("100 ids") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().ids(some(marks.recentEvents(Landmarks.MAX), 100, random));
        }
    },
    STATE("state: kind, one `#d`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(30_618)
                    .tag('d', some(marks.identifiers(Popularity.MIDDLING, 500), 1, random));
        }
    },
    ANNOUNCEMENT("announcement: kind, author, one `#d`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            var repository = some(marks.repositories(Popularity.MIDDLING, 500), 1, random)
                    .getFirst();
            return Filter.builder()
                    .kinds(30_617)
                    .authors(List.of(repository.owner()))
                    .tag('d', List.of(repository.identifier().text()));
        }
    },
    RARE_PROPOSALS("proposals and issues: 4 kinds, one rare `#a`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1617, 5, 1618, 1621)
                    .tag('a', some(marks.coordinates(Popularity.RARE, 500), 1, random));
        }
    },
    POPULAR_PROPOSALS("proposals and issues: 4 kinds, one popular `#a`, all of them") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1617, 5, 1618, 1621)
                    .tag('a', some(marks.coordinates(Popularity.POPULAR, 20), 1, random));
        }
    },
    STATUS("status: 4 kinds, 10 `#e`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1630, 1631, 1632, 1633)
                    .tag('e', texts(some(marks.recentRoots(Landmarks.MAX), 10, random)));
        }
    },
    COMMENTS("comments: kind, 10 `#E`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().kinds(1111).tag('E', texts(some(marks.recentRoots(Landmarks.MAX), 10, random)));
        }
    },
    REVISIONS("revisions and status: 7 kinds, 100 `#e`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1617, 5, 1619, 1630, 1631, 1632, 1633)
                    .tag('e', texts(some(marks.recentRoots(Landmarks.MAX), 100, random)));
        }
    },
    MANY_REVISIONS("revisions and status: 7 kinds, 2,000 `#e`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1617, 5, 1619, 1630, 1631, 1632, 1633)
                    .tag('e', texts(marks.recentRoots(Landmarks.MAX)));
        }
    },
    DELETIONS("deletions: kind, 100 `#e`") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().kinds(5).tag('e', texts(some(marks.recentEvents(Landmarks.MAX), 100, random)));
        }
    },
    PEOPLE("people: 3 kinds, 20 authors") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(0, 10_002, 10_317)
                    .authors(some(marks.authors(Popularity.MIDDLING, Landmarks.MAX), 20, random));
        }
    },
    MENTIONS("notifications: kind, one `#P`, three `#K`, limit 10") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .kinds(1111)
                    .tag(
                            'P',
                            some(marks.authors(Popularity.POPULAR, 500), 1, random).stream()
                                    .map(Object::toString)
                                    .toList())
                    .tag('K', List.of("1617", "1618", "1621"))
                    .limit(10);
        }
    },
    SYNC_ADDRESSES("sync: 100 `#a`, limit 100") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder()
                    .tag('a', some(marks.coordinates(Popularity.MIDDLING, Landmarks.MAX), 100, random))
                    .limit(100);
        }
    },
    SYNC_ROOTS("sync: 2,000 `#E`, all of them") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().tag('E', texts(marks.recentRoots(Landmarks.MAX)));
        }
    },
    ALL_ANNOUNCEMENTS("kinds only: announcements and grasp lists, all of them") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().kinds(30_617, 10_317);
        }
    },
    ONE_KIND("scan: one kind, 5,000") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder().kinds(1111);
        }
    },
    EVERYTHING("scan: everything, 5,000") {
        @Override
        Filter.Builder make(Landmarks marks, RandomGenerator random) {
            return Filter.builder();
        }
    };

    private final String title;

    QueryShape(String title) {
        this.title = title;
    }

    /// What is asked, for a table.
    public String title() {
        return title;
    }

    abstract Filter.Builder make(Landmarks marks, RandomGenerator random);

    /// Other values each time.
    public Filter filter(Landmarks marks, RandomGenerator random) {
        return make(marks, random).build();
    }

    private static <T> List<T> some(List<T> from, int count, RandomGenerator random) {
        if (from.size() <= count) {
            return from;
        }
        int at = random.nextInt(from.size());
        var rotated = new java.util.ArrayList<>(from);
        Collections.rotate(rotated, at);
        return rotated.subList(0, count);
    }

    private static List<String> texts(List<EventId> ids) {
        return ids.stream().map(EventId::toString).toList();
    }
}
