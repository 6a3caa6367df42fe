package dev.grapnel.server;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.SyncPicture;
import java.util.Optional;

/// Sync as pages see it, which are made before it. Until it begins, and on a server that follows nobody, it is off.
final class LateSync implements SyncView {
    private volatile SyncView view = SyncView.OFF;

    void begin(SyncView begun) {
        view = begun;
    }

    @Override
    public boolean isOn() {
        return view.isOn();
    }

    @Override
    public Optional<SyncPicture> picture() {
        return view.picture();
    }

    @Override
    public int compareNow(Optional<RemoteUrl> one) {
        return view.compareNow(one);
    }

    @Override
    public long inboundBytes() {
        return view.inboundBytes();
    }
}
