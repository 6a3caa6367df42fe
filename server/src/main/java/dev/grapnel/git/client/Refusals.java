package dev.grapnel.git.client;

import dev.grapnel.nostr.repository.Oid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The one thing a server writes that is believed: that it does not give an object, and only if it was
/// asked for that one (purgatory P-670). The protocol has no code for it, so servers say it in their own words.
final class Refusals {
    private static final String ID = "(?<id>[0-9a-f]{40})(?![0-9A-Za-z])";

    private static final List<Pattern> UNKNOWN = List.of(
            Pattern.compile("(?:^| )not our ref " + ID), // git, all that run it, and Grapnel
            Pattern.compile("^want " + ID + " not valid$"), // JGit, Gerrit
            Pattern.compile("^Client wants invalid object (?:b')?" + ID), // Dulwich
            Pattern.compile("^TF401035: The object '" + ID + "' does not exist")); // Azure DevOps

    private Refusals() {}

    static Optional<Oid> find(String words, Collection<Oid> wants) {
        var said = words.strip();
        return UNKNOWN.stream()
                .map(pattern -> pattern.matcher(said))
                .filter(Matcher::find)
                .flatMap(match -> Oid.parse(match.group("id")).find().stream())
                .filter(wants::contains)
                .findFirst();
    }
}
