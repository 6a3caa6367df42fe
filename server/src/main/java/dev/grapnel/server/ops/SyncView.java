package dev.grapnel.server.ops;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.SyncPicture;
import java.util.Optional;

/// How pages, metrics and the operator's commands see sync, from any thread.
public interface SyncView {
    /// Of a server that follows nobody.
    SyncView OFF = new SyncView() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public Optional<SyncPicture> picture() {
            return Optional.empty();
        }

        @Override
        public int compareNow(Optional<RemoteUrl> one) {
            return 0;
        }

        @Override
        public long inboundBytes() {
            return 0;
        }
    };

    /// Whether other relays are followed at all.
    boolean isOn();

    /// How everything is doing; empty if nobody follows relays, or nobody answers in time.
    Optional<SyncPicture> picture();

    /// Has relays compared in full, soon.
    ///
    /// @param one the one that is meant, else all
    /// @return how many are connected and meant
    int compareNow(Optional<RemoteUrl> one);

    /// Memory of what relays have sent and nobody has decided about.
    long inboundBytes();
}
