package dev.grapnel.command;

import dev.grapnel.client.LocalPublishing.Report;
import dev.grapnel.client.RepositoryPublishing.Published;
import dev.grapnel.purgatory.push.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What was published, as people read it.
final class PublishedText {
    private PublishedText() {}

    static List<String> of(Report report) {
        var lines = new ArrayList<String>();
        report.announcement().ifPresent(published -> lines.add(line("announcement", published)));
        lines.add(line("state", report.state()));
        var url = ShellWord.quoted(report.cloneUrl());
        if (report.isPushDue()) {
            lines.add("push it now: git push "
                    + words(Stream.concat(Stream.of(report.remote()), report.pushed().stream())));
        } else {
            lines.add("the server has all of its objects, there is nothing to push");
        }
        report.told()
                .forEach(told -> lines.add(told.relayUrl() + ": "
                        + told.problem()
                                .map(problem -> "not told: " + problem)
                                .orElse("knows of it, and fetches what is pushed")));
        lines.add("clone it: git clone " + url);
        lines.add("its page: " + report.cloneUrl());
        return lines;
    }

    private static String words(Stream<String> words) {
        return words.map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    private static String line(String what, Published published) {
        var id = published.event().id().toHex();
        if (!published.isNew()) {
            return what + " " + id + ": the server has it already";
        }
        return what + " " + id + ": taken" + (published.answer().isEmpty() ? "" : " (" + published.answer() + ")");
    }
}
