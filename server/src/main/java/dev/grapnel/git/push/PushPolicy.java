package dev.grapnel.git.push;

import dev.grapnel.nostr.Parsed;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// Who may push what. Asked by git, answered from signed events.
@FunctionalInterface
public interface PushPolicy {
    /// Takes up a push.
    PushCase open(Push push) throws IOException;

    /// Lets nothing through.
    static PushPolicy nothing(String reason) {
        return push -> new PushCase() {
            @Override
            public PushVerdict judge() {
                return PushVerdict.refusedWhole(push.commands(), reason);
            }

            @Override
            public PushVerdict settle(ReceivedPush received) {
                return judge();
            }
        };
    }

    /// Lets everything through that git itself allows: for trying things out, and for measuring.
    static PushPolicy anything() {
        return push -> new PushCase() {
            @Override
            public PushVerdict judge() {
                for (var command : push.commands()) {
                    if (command.name() instanceof Parsed.Invalid) {
                        return new PushVerdict.Refused(
                                Set.of(command.ref()), "ref " + command.ref() + " is outside refs/", List.of());
                    }
                }
                return new PushVerdict.Allowed();
            }

            @Override
            public PushVerdict settle(ReceivedPush received) throws IOException {
                return received.apply(push.commands());
            }
        };
    }
}
