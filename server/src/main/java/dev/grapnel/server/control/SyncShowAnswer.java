package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.ops.SyncJson;
import dev.grapnel.server.ops.SyncView;
import java.io.IOException;

/// Tells all that is known of one relay.
public final class SyncShowAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "sync show";

    private final SyncView sync;

    public SyncShowAnswer(SyncView sync) {
        this.sync = sync;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var text = request.arguments()
                .findText("relay")
                .orElseThrow(() -> new ControlRefusal("which relay to show is missing: give its address"));
        var picture = KnownRelays.picture(sync);
        var relay = KnownRelays.require(picture, text);
        output.line(new SyncJson(picture).write(relay, new JsonWriter(1_024)));
    }
}
