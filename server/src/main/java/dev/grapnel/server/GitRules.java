package dev.grapnel.server;

import dev.grapnel.git.Hosting;
import dev.grapnel.git.maintenance.MaintenanceConfig;
import dev.grapnel.git.maintenance.UpkeepConfig;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.repository.Repositories;
import java.io.IOException;
import java.util.function.LongFunction;

/// Who decides which repositories there are and who may push, and how they are looked after.
///
/// @param hosting made from what is on disk
/// @param visits when repositories are looked after
/// @param upkeep how, for a heap of some size
public record GitRules(
        HostingMaker hosting, PushPolicy policy, MaintenanceConfig visits, LongFunction<UpkeepConfig> upkeep) {
    /// Looked after as usual.
    public GitRules(HostingMaker hosting, PushPolicy policy) {
        this(hosting, policy, MaintenanceConfig.DEFAULTS, UpkeepConfig::defaultsFor);
    }

    /// Makes the answers from what is on disk.
    public interface HostingMaker {
        Hosting over(Repositories repositories) throws IOException;
    }

    /// What is on disk can be read; nothing can be pushed, because signed states are not read yet.
    public static final GitRules READ_ONLY = new GitRules(
            DirectoryHosting::ofExisting,
            PushPolicy.nothing("authorisation failed: this version of the server takes no pushes yet"));

    /// Everybody may push everything, and a repository is there as soon as somebody pushes to it. For
    /// trying things out and for measuring; a server that strangers can reach must not run like this.
    public static final GitRules OPEN = new GitRules(DirectoryHosting::ofAnything, PushPolicy.anything());
}
