package dev.grapnel.sync.link;

import static dev.grapnel.sync.index.PairMarks.LIVE;

import dev.grapnel.sync.index.Level;
import dev.grapnel.sync.index.Targets;
import java.util.Collection;
import java.util.List;

/// How much of what live filters ask for is wanted no more (R2.6). It goes when everything is packed anew.
final class Surplus {
    private final int relay;
    private final Targets targets;
    private final IntPairMap gone = new IntPairMap(Room.endless());
    private final IntPairMap goneAddresses = new IntPairMap(Room.endless());
    private int count;
    /// Values of all filters when last counted; there are more now, if anything.
    private int valuesLeast;

    private boolean isAny;
    private boolean isCounted;

    Surplus(int relay, Targets targets) {
        this.relay = relay;
        this.targets = targets;
    }

    /// Nothing is in filters that could be too much.
    void clear() {
        isCounted = false;
        gone.clear();
        goneAddresses.clear();
        count = 0;
        valuesLeast = 0;
        isAny = false;
    }

    /// Everything is in filters from now on; what is gone already is in none of them.
    void begin() {
        clear();
        isCounted = true;
        targets.forEachPair(relay, pair -> {
            int before = goneOf(pair);
            if (before > 0) {
                gone.setFirst(pair, before);
            }
            int lost = goneAddressesOf(pair);
            if (lost > 0) {
                goneAddresses.setFirst(pair, lost);
            }
        });
    }

    /// Something of a repository is wanted no more.
    void shrunk(int pair) {
        isAny = true;
        if (!isCounted) {
            return;
        }
        int now = Math.max(0, goneOf(pair) - gone.first(pair));
        count += now - gone.second(pair);
        gone.setSecond(pair, now);
    }

    /// Whether a state address has gone since this was asked last.
    boolean hasLostAddress(int pair) {
        int now = goneAddressesOf(pair);
        boolean isMore = isCounted && now > goneAddresses.first(pair);
        if (isMore) {
            goneAddresses.setFirst(pair, now);
        }
        return isMore;
    }

    /// A repository leaves.
    void ended(int pair) {
        isAny = true;
        if (!isCounted) {
            return;
        }
        var marks = targets.marks();
        int values = 1 + (marks.level(pair, LIVE) == Level.FULL ? 1 : 0);
        values += marks.roots(pair, LIVE) + marks.addresses(pair, LIVE);
        count += Math.max(0, values - gone.first(pair) - gone.second(pair));
        gone.setFirst(pair, 0);
        gone.setSecond(pair, 0);
        goneAddresses.forget(pair);
    }

    /// Entries of its streamed lists that stand for nothing now.
    private int goneOf(int pair) {
        int repo = targets.repo(pair);
        int found = 0;
        for (int place = 0; place < targets.marks().roots(pair, LIVE); place++) {
            found += targets.root(repo, place) < 0 ? 1 : 0;
        }
        return found + goneAddressesOf(pair);
    }

    private int goneAddressesOf(int pair) {
        int repo = targets.repo(pair);
        int found = 0;
        for (int place = 0; place < targets.marks().addresses(pair, LIVE); place++) {
            found += targets.address(repo, place).isEmpty() ? 1 : 0;
        }
        return found;
    }

    /// Whether some of these repositories are new here, or were wanted in full before, and what they bring may be
    /// streamed already: what was wanted stays in its filter until everything is packed anew.
    boolean mayHave(Collection<Integer> pairs) {
        return isAny && pairs.stream().anyMatch(pair -> targets.marks().level(pair, LIVE) != Level.FULL);
    }

    boolean isAny() {
        return isAny;
    }

    /// Whether it is more than a quarter of all.
    boolean isLarge(List<LiveGroup> groups) {
        if (count * 4L <= valuesLeast) {
            return false; // whole lists are not counted for each repository
        }
        valuesLeast = groups.stream()
                .flatMap(group -> group.questions().stream())
                .map(Question::chunk)
                .distinct()
                .mapToInt(Chunk::size)
                .sum();
        return valuesLeast > 0 && count * 4L > valuesLeast;
    }
}
