package dev.grapnel.git.maintenance;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.repository.GitLibrary;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the objects that refs name, and nothing that they reach.
///
/// The files are opened anew: whoever uses the repository may still have in memory what is gone from the disk.
public final class TipCheck {
    private static final Logger LOG = LoggerFactory.getLogger(TipCheck.class);

    private TipCheck() {}

    /// Those of some objects that cannot be read. It may be served meanwhile; whoever finds something looks again,
    /// because maintenance may have replaced a file in between.
    ///
    /// @param repository its directory
    public static Set<Oid> findUnreadable(Path repository, Collection<Oid> tips) throws IOException {
        var unreadable = new HashSet<Oid>();
        try (var opened = GitLibrary.open(repository);
                var reader = opened.newObjectReader()) {
            for (var tip : new HashSet<>(tips)) {
                if (!isReadable(tip, reader)) {
                    unreadable.add(tip);
                }
            }
        }
        return unreadable;
    }

    /// Content is read, too, unless it is large.
    private static boolean isReadable(Oid tip, ObjectReader reader) throws IOException {
        try {
            return reader.open(GitIds.of(tip)).getSize() >= 0;
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // over damaged bytes the library stumbles in any way
            LOG.debug("object not read id={} reason={}", tip, e.toString());
            return false;
        }
    }
}
