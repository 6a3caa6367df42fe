package dev.grapnel.command;

import dev.grapnel.client.KeyFile;
import dev.grapnel.nostr.key.SecretKey;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/// Who publishes which repository.
final class PublisherOption {
    /// How long a relay may think about an event.
    static final Duration PATIENCE = Duration.ofSeconds(30);

    @Option(
            names = "--key",
            paramLabel = "<file>",
            required = true,
            description =
                    "File with your secret key ('grapnel keys new' makes one). An nsec or 64 hex digits are taken,"
                            + " too, but then others on this machine can see them.")
    private String key = "";

    @Option(names = "--remote", paramLabel = "<name>", description = "Name of the git remote; grapnel if not given.")
    private String remote = "grapnel";

    @Option(
            names = {"-C", "--directory"},
            paramLabel = "<dir>",
            description = "A directory in the repository, in place of the working directory.")
    private Path directory = Path.of("");

    SecretKey key() {
        return KeyFile.require(key);
    }

    String remote() {
        return remote;
    }

    Path directory() {
        return directory;
    }
}
