package dev.grapnel.sync.world;

import dev.grapnel.outbound.RemoteUrl;
import java.util.Optional;
import java.util.function.Consumer;

/// Asks relays what they say of themselves (R4.5).
@FunctionalInterface
public interface InformationSource {
    /// Asks one. The answer comes on the loop, within 5 s; empty if it could not be asked. A relay that answers and has
    /// no document says nothing: [RelayInformation#NONE].
    void ask(RemoteUrl relay, boolean isConfigured, Consumer<Optional<RelayInformation>> answer);
}
