package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.server.ops.SyncJson;
import dev.grapnel.server.ops.SyncView;
import dev.grapnel.sync.health.DialWait;
import java.io.IOException;
import java.util.Optional;

/// Has relays compared in full, without waiting for the day to be over, and one that is named called.
public final class SyncNowAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "sync now";

    private final SyncView sync;

    public SyncNowAnswer(SyncView sync) {
        this.sync = sync;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var picture = KnownRelays.picture(sync);
        var text = request.arguments().findText("relay");
        if (text.isEmpty()) {
            output.line(begin(Optional.empty(), picture.relays().size()).raw("}"));
            return;
        }
        var relay = KnownRelays.require(picture, text.get());
        boolean isCalled = relay.waiting().map(DialWait::isOverAtWill).orElse(false);
        var line = begin(Optional.of(relay.url()), 1)
                .raw(",\"called\":")
                .raw(Boolean.toString(isCalled))
                .raw(",\"relay\":");
        output.line(new SyncJson(picture).write(relay, line).raw("}"));
    }

    private JsonWriter begin(Optional<RemoteUrl> one, int followed) {
        return new JsonWriter(1_024)
                .raw("{\"meant\":")
                .number(sync.compareNow(one))
                .raw(",\"followed\":")
                .number(followed);
    }
}
