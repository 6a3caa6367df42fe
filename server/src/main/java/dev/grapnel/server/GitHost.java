package dev.grapnel.server;

import dev.grapnel.git.Disk;
import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.Hosting;
import dev.grapnel.git.maintenance.FormerTips;
import dev.grapnel.git.maintenance.FullRepack;
import dev.grapnel.git.maintenance.KeepRoots;
import dev.grapnel.git.maintenance.Maintenance;
import dev.grapnel.git.maintenance.Surroundings;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import dev.grapnel.server.address.RequestRates;
import dev.grapnel.server.git.GitEndpoints;
import dev.grapnel.server.git.RepositoryUses;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The part of the service that keeps repositories.
record GitHost(
        Path directory,
        Repositories repositories,
        Hosting hosting,
        FreeSpace space,
        GitEndpoints endpoints,
        RefMoves moves,
        Maintenance maintenance)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GitHost.class);

    /// @throws IOException with a sentence for the operator, if the directory cannot be used
    static GitHost open(
            GitOpening opening,
            GitRules rules,
            Disk disk,
            Hosting announced,
            PushPolicy policy,
            KeepRoots named,
            Build build,
            Function<Request, ClientAddress> addressOf,
            Predicate<Request> isByTls,
            Metrics metrics,
            InstantSource clock,
            LongSupplier nanoTime)
            throws IOException {
        var directory = opening.directory();
        var repositories = Repositories.open(directory, RepositoriesConfig.defaults(), clock, disk);
        var uses = new RepositoryUses(RepositoryUses.Files.of(repositories));
        var formerTips = new FormerTips(disk, clock);
        var maintenance = new Maintenance(
                rules.visits(),
                rules.upkeep().apply(opening.heapBytes()),
                Surroundings.REAL,
                repositories,
                new FullRepack.Others(named, formerTips, uses));
        var addressLimits = AddressLimits.from(opening.settings());
        var space = opening.space(directory);
        var hosting = rules.hosting().over(repositories, announced);
        var moves = new Upkeep(formerTips, maintenance);
        var endpoints = new GitEndpoints(
                repositories,
                hosting,
                policy,
                opening.config(),
                "grapnel/" + build.version(),
                new GitEndpoints.Addresses(
                        addressOf,
                        isByTls,
                        new RequestRates(opening.requests(), addressLimits, nanoTime),
                        addressLimits),
                metrics.git(),
                KeepAlive.defaults(nanoTime),
                moves,
                uses,
                space,
                nanoTime);
        measure(metrics, endpoints, hosting, maintenance);
        maintenance.start();
        return new GitHost(directory, repositories, hosting, space, endpoints, moves, maintenance);
    }

    private static void measure(Metrics metrics, GitEndpoints endpoints, Hosting hosting, Maintenance maintenance) {
        metrics.gauge("grapnel_git_requests", "Git requests that work or wait for their client.", endpoints::begun);
        metrics.gauge("grapnel_git_requests_waiting", "Git requests that wait for a place.", endpoints::waiting);
        metrics.gauge("ngit_repositories_total", "Repositories kept here.", hosting::count);
        metrics.counter(
                "grapnel_git_maintenance_visits_total",
                "Repositories looked after.",
                () -> maintenance.counts().visits());
        metrics.counter(
                "grapnel_git_maintenance_failures_total",
                "Repositories that could not be.",
                () -> maintenance.counts().failures());
        metrics.counter(
                "grapnel_git_maintenance_bytes_total",
                "Bytes written for that.",
                () -> maintenance.counts().bytesWritten());
        metrics.gauge(
                "grapnel_git_maintenance_waiting",
                "Repositories that wait for it.",
                () -> maintenance.counts().waiting());
    }

    /// What was there before a push stays for a while, and what came is packed with the rest.
    private record Upkeep(FormerTips formerTips, Maintenance maintenance) implements RefMoves {
        @Override
        public void before(RepositoryLease repository, Collection<Oid> former) throws IOException {
            formerTips.add(repository.directory(), former);
        }

        @Override
        public void after(RepositoryLease repository) {
            maintenance.noteChange(repository.address());
        }
    }

    /// Lets those who push finish, up to a time.
    void stop(Duration most) {
        endpoints.stop(most);
    }

    @Override
    public void close() {
        endpoints.close();
        maintenance.close();
        try {
            repositories.close();
        } catch (IOException e) {
            LOG.warn("repositories were not closed", e);
        }
    }
}
