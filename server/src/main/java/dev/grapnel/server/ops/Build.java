package dev.grapnel.server.ops;

/// Which build of the program runs.
///
/// @param version as the pom states it
/// @param commit short, or empty if nobody knows it
/// @param homePage where the program comes from, a URL
public record Build(String version, String commit, String homePage) {
    /// Version and commit as people pass them on.
    public String text() {
        return commit.isEmpty() ? version : version + "-" + commit;
    }
}
