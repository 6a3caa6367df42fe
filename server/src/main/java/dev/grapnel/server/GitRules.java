package dev.grapnel.server;

import dev.grapnel.git.Hosting;
import dev.grapnel.git.maintenance.MaintenanceConfig;
import dev.grapnel.git.maintenance.UpkeepConfig;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.repository.Repositories;
import java.io.IOException;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/// Who decides which events are taken, which repositories there are and who may push, and how they are
/// looked after.
///
/// @param acceptance which events are taken
/// @param hosting made from what is on disk and what is announced
/// @param policy who may push: those whom signed events allow it, which it is given, or others
/// @param visits when repositories are looked after
/// @param upkeep how, for a heap of some size
public record GitRules(
        Acceptance acceptance,
        HostingMaker hosting,
        UnaryOperator<PushPolicy> policy,
        MaintenanceConfig visits,
        LongFunction<UpkeepConfig> upkeep) {
    /// Which events are taken.
    public enum Acceptance {
        /// Those that belong to repositories of this service.
        GRASP,
        /// Every valid one.
        ANYTHING
    }

    /// Every event is taken; repositories are looked after as usual.
    public GitRules(HostingMaker hosting, PushPolicy policy) {
        this(Acceptance.ANYTHING, hosting, _ -> policy, MaintenanceConfig.DEFAULTS, UpkeepConfig::defaultsFor);
    }

    /// Makes the answers from what is on disk, or passes on what events say.
    public interface HostingMaker {
        Hosting over(Repositories repositories, Hosting announced) throws IOException;
    }

    /// Events decide what there is and what may be pushed.
    public static final GitRules GRASP = new GitRules(
            Acceptance.GRASP,
            (_, announced) -> announced,
            signed -> signed,
            MaintenanceConfig.DEFAULTS,
            UpkeepConfig::defaultsFor);

    /// Everybody may publish and push everything, and a repository is there as soon as somebody pushes to
    /// it. For trying things out and for measuring; a server that strangers can reach must not run like
    /// this.
    public static final GitRules OPEN =
            new GitRules((repositories, _) -> DirectoryHosting.ofAnything(repositories), PushPolicy.anything());
}
