package dev.grapnel.git.fetch;

import dev.grapnel.git.GitProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// A history that somebody might have, with merges, several beginnings, and clocks that go wrong.
///
/// @param commits ids, parents before children
/// @param dates of the commits, in the same order
/// @param names of refs
record RandomHistory(List<String> commits, List<Long> dates, List<String> names) {
    private static final long START = 1_700_000_000;

    RandomHistory {
        commits = List.copyOf(commits);
        dates = List.copyOf(dates);
        names = List.copyOf(names);
    }

    /// Writes one into an empty repository. Every commit is reached by a branch, except perhaps a few.
    static RandomHistory write(GitProgram git, Random random, boolean clocksAreRight) {
        int count = 3 + random.nextInt(22);
        var dates = new ArrayList<Long>();
        var stream = new StringBuilder();
        var childless = new TreeSet<Integer>();
        for (int i = 0; i < count; i++) {
            long date = START + 100L * i + random.nextInt(50);
            dates.add(clocksAreRight ? date : date + random.nextInt(2000) - 1000);
            childless.add(i);
            stream.append("commit refs/build/%d\nmark :%d\ncommitter A <a@b> %d +0000\ndata 1\n%d\n"
                    .formatted(i, i + 1, dates.get(i), i % 10));
            var parents = parents(i, random);
            for (int p = 0; p < parents.size(); p++) {
                stream.append(p == 0 ? "from :" : "merge :")
                        .append(parents.get(p) + 1)
                        .append('\n');
            }
            childless.removeAll(parents);
            stream.append("M 100644 inline f%d\ndata 2\n%02d\n\n".formatted(i % 5, i));
        }
        var names = new ArrayList<String>();
        for (int tip : childless) {
            name("refs/heads/" + (names.isEmpty() ? "main" : "b" + tip), tip, names, stream);
        }
        for (int i = 0; i < 3; i++) {
            name("refs/heads/inner" + i, random.nextInt(count), names, stream);
        }
        int tagged = random.nextInt(count);
        stream.append("tag v1\nfrom :%d\ntagger A <a@b> %d +0000\ndata 1\nt\n".formatted(tagged + 1, START));
        names.add("refs/tags/v1");
        git.feed(stream.toString(), "fast-import", "--quiet");
        var commits = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            commits.add(git.run("rev-parse", "refs/build/" + i));
            git.run("update-ref", "-d", "refs/build/" + i);
        }
        return new RandomHistory(commits, dates, names);
    }

    private static List<Integer> parents(int index, Random random) {
        var parents = new ArrayList<Integer>();
        int wanted = index == 0 || random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(8) / 6 + random.nextInt(12) / 11;
        while (parents.size() < Math.min(wanted, index)) {
            int parent = Math.max(0, index - 1 - random.nextInt(5));
            if (parents.contains(parent)) {
                parent = random.nextInt(index);
            }
            if (!parents.contains(parent)) {
                parents.add(parent);
            }
        }
        return parents;
    }

    private static void name(String ref, int commit, List<String> names, StringBuilder stream) {
        stream.append("reset ")
                .append(ref)
                .append("\nfrom :")
                .append(commit + 1)
                .append("\n\n");
        names.add(ref);
    }
}
