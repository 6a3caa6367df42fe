package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.ops.RelayWords;
import dev.grapnel.server.ops.SyncJson;
import dev.grapnel.server.ops.SyncView;
import java.io.IOException;

/// Lists the relays that are followed, those first that somebody should look at.
public final class SyncListAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "sync list";

    private final SyncView sync;

    public SyncListAnswer(SyncView sync) {
        this.sync = sync;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var picture = KnownRelays.picture(sync);
        var json = new SyncJson(picture);
        for (var relay : RelayWords.worstFirst(picture)) {
            output.requireWanted();
            output.line(json.write(relay, new JsonWriter(1_024)));
        }
    }
}
