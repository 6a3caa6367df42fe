package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.purgatory.AnnouncedHosting;
import dev.grapnel.purgatory.IdentifierLocks;
import dev.grapnel.purgatory.intake.StoredUploads;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.reconcile.EmptyRepositories;
import dev.grapnel.purgatory.reconcile.IntegrityPass;
import dev.grapnel.purgatory.reconcile.ObjectExamination;
import dev.grapnel.purgatory.reconcile.StagedObjects;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.tool.OpenStore;
import dev.grapnel.store.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/// The data of a server that does not run, which this process has for itself as long as it is open.
public final class StoppedServer implements AutoCloseable {
    private final OpenStore opened;
    private final Repositories repositories;
    private final Pools pools;
    private final ObjectExamination.Pools objects;
    private final StagedObjects uploads;

    private StoppedServer(OpenStore opened, Repositories repositories, Pools pools) {
        this.opened = opened;
        this.repositories = repositories;
        this.pools = pools;
        this.objects = Reconciliation.objects(repositories, new AnnouncedHosting(opened.store(), pools));
        this.uploads = opened.store().read(StoredUploads::read);
    }

    /// Opens everything.
    ///
    /// @param store is closed with it
    /// @param git the directory of the repositories
    /// @param settings who maintains what, and to whom the operator does not listen
    /// @throws ToolFailure if the repositories cannot be used, or somebody else uses them
    public static StoppedServer open(OpenStore store, Path git, Configuration settings, InstantSource clock) {
        try {
            var repositories = Repositories.open(git, RepositoriesConfig.defaults(), clock);
            try {
                var muted = Set.copyOf(settings.require(ServiceSettings.EVENT_BLACKLIST));
                var pools = new Pools(model(settings), muted::contains, new Timeline(clock, System::nanoTime));
                store.store().read(view -> {
                    pools.read(view);
                    return true;
                });
                return new StoppedServer(store, repositories, pools);
            } catch (RuntimeException e) {
                repositories.close();
                throw e;
            }
        } catch (IOException e) {
            store.close();
            throw new ToolFailure("the repositories in " + git + " cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static MaintainerModel model(Configuration settings) {
        return switch (settings.require(ServiceSettings.MAINTAINER_MODEL)) {
            case CONFIRMED -> MaintainerModel.CONFIRMED;
            case RECURSIVE -> MaintainerModel.RECURSIVE;
        };
    }

    public EventStore store() {
        return opened.store();
    }

    public Repositories repositories() {
        return repositories;
    }

    /// Compares repositories with what their events say.
    public IntegrityPass integrity() {
        return new IntegrityPass(store(), pools, repositories, objects, uploads, new IdentifierLocks());
    }

    /// Looks for repositories that are of no use.
    public EmptyRepositories emptyRepositories() {
        return new EmptyRepositories(store(), pools, repositories, objects, uploads);
    }

    @Override
    public void close() {
        try {
            repositories.close();
        } catch (IOException e) {
            throw new ToolFailure("the repositories were not closed: " + e.getMessage(), e);
        } finally {
            opened.close();
        }
    }
}
