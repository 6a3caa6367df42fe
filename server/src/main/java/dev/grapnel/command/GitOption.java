package dev.grapnel.command;

import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.git.repository.RepositoryPlace;
import dev.grapnel.git.repository.RepositoryTree;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Which repositories, and where they are.
final class GitOption {
    private static final String DEFAULT = "./data/git";

    @Mixin
    private SettingsOption settings = new SettingsOption();

    @Option(
            names = "--git-data-path",
            paramLabel = "<dir>",
            description = {
                "Directory of the git repositories. Without it the variable GRAPNEL_GIT_DATA_PATH counts, then"
                        + " NGIT_GIT_DATA_PATH, then a line of that name in the configuration file, then " + DEFAULT
                        + "."
            })
    private Optional<Path> given = Optional.empty();

    @Option(names = "--owner", paramLabel = "<npub or hex>", description = "Only repositories of this owner.")
    private Optional<String> owner = Optional.empty();

    @Option(names = "--identifier", paramLabel = "<d>", description = "Only repositories of this name.")
    private Optional<String> identifier = Optional.empty();

    /// Where they are. From then on no settings of the operator's own git count, as in the server.
    ///
    /// @throws ToolFailure if there is no such directory
    Path directory(Map<String, String> environment) {
        var directory = settings.directory(given, "GIT_DATA_PATH", environment, DEFAULT);
        if (!Files.isDirectory(directory)) {
            throw new ToolFailure("there are no repositories in " + directory + ", as there is no such directory");
        }
        GitLibrary.configure(RepositoriesConfig.defaults().caches());
        return directory;
    }

    /// The repositories that are meant.
    ///
    /// @throws ToolFailure if owner or identifier mean nothing, or no repository is meant that was named
    List<RepositoryPlace> select(Path directory) {
        var wantedOwner = owner.map(GitOption::key);
        var wantedIdentifier = identifier.map(GitOption::name);
        try {
            var places = RepositoryTree.list(directory).stream()
                    .filter(place ->
                            wantedOwner.map(place.address().owner()::equals).orElse(true))
                    .filter(place -> wantedIdentifier
                            .map(place.address().identifier()::equals)
                            .orElse(true))
                    .toList();
            if (places.isEmpty() && (wantedOwner.isPresent() || wantedIdentifier.isPresent())) {
                throw new ToolFailure("there is no such repository in " + directory);
            }
            return places;
        } catch (IOException e) {
            throw ToolFailure.of("read", directory, e);
        }
    }

    /// @throws ToolFailure if it is no key
    static PublicKey key(String text) {
        return Npub.parse(text)
                .find()
                .map(Npub::key)
                .or(() -> PublicKey.parse(text).find())
                .orElseThrow(() -> new ToolFailure("an owner is an npub or 64 hex digits, not '" + text + "'"));
    }

    /// @throws ToolFailure if no repository can be called that
    static Identifier name(String text) {
        return Identifier.parse(text)
                .find()
                .orElseThrow(() -> new ToolFailure("no repository can be called '" + text + "'"));
    }
}
