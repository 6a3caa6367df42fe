package dev.grapnel.server;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.StoreSamples;
import java.net.URI;
import java.nio.file.Path;

/// A real server on a real port whose repositories anybody may push to, or whoever a test lets.
public final class GitUnderTest implements AutoCloseable {
    /// Who owns the repositories of most tests.
    public static final PublicKey OWNER = StoreSamples.author(1);

    private final Service service;
    private final Path directory;

    private GitUnderTest(Service service, Path directory) {
        this.service = service;
        this.directory = directory;
    }

    /// Everything may be pushed.
    ///
    /// @param settings names without prefix and values, in turn
    public static GitUnderTest start(Path directory, String... settings) {
        return start(directory, GitRules.OPEN, settings);
    }

    /// With rules of the test's.
    public static GitUnderTest start(Path directory, GitRules rules, String... settings) {
        try {
            return new GitUnderTest(
                    Service.start(
                            RelayUnderTest.configuration(directory, settings),
                            StoreSamples.secretKey(999),
                            new Build("0.0.0-test", "", "https://example.com/grapnel"),
                            rules),
                    directory);
        } catch (ServiceFailure e) {
            throw new AssertionError(e);
        }
    }

    public int port() {
        return service.port();
    }

    /// Where a repository of [#OWNER] is cloned from.
    public String url(String identifier) {
        return url(OWNER, identifier);
    }

    /// Where a repository is cloned from.
    public String url(PublicKey owner, String identifier) {
        return "http://127.0.0.1:" + port() + "/" + new Npub(owner).text() + "/" + PercentEncoding.encode(identifier)
                + ".git";
    }

    /// An endpoint of a repository of [#OWNER].
    public URI endpoint(String identifier, String rest) {
        return URI.create(url(identifier) + "/" + rest);
    }

    /// Where a repository of [#OWNER] is on disk.
    public Path onDisk(String identifier) {
        return onDisk(OWNER, identifier);
    }

    /// Where a repository is on disk.
    public Path onDisk(PublicKey owner, String identifier) {
        return gitData().resolve(new Npub(owner).text()).resolve(identifier + ".git");
    }

    /// Where all repositories are.
    public Path gitData() {
        return directory.resolve("git");
    }

    /// The address of a repository of [#OWNER].
    public static RepositoryAddress address(String identifier) {
        return new RepositoryAddress(OWNER, new Identifier(identifier));
    }

    public Service service() {
        return service;
    }

    @Override
    public void close() {
        service.close();
    }
}
