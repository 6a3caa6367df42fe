package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.repository.Identifier;
import java.io.IOException;
import java.util.function.Predicate;

/// Hunts at once for what an identifier lacks.
public final class HuntNowAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "hunt now";

    private final boolean isEnabled;
    private final Predicate<Identifier> hunt;

    /// @param hunt whether there is something to hunt for; then it has begun
    public HuntNowAnswer(boolean isEnabled, Predicate<Identifier> hunt) {
        this.isEnabled = isEnabled;
        this.hunt = hunt;
    }

    /// @throws ControlRefusal if nothing is ever hunted
    static void requireHunting(boolean isEnabled) throws ControlRefusal {
        if (!isEnabled) {
            throw new ControlRefusal(
                    "this server does not hunt: it was started with --hunt-enabled=false, so only pushes bring data");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var identifier = CheckAnswer.findIdentifier(request)
                .orElseThrow(() -> new ControlRefusal("which repository to hunt for is missing: give its identifier"));
        requireHunting(isEnabled);
        output.line(new JsonWriter(128)
                .raw("{\"identifier\":")
                .string(identifier.text())
                .raw(",\"hunted\":")
                .raw(Boolean.toString(hunt.test(identifier)))
                .raw("}"));
    }
}
