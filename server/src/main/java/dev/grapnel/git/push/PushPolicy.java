package dev.grapnel.git.push;

import dev.grapnel.nostr.Parsed;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// Who may push what. Asked by git, answered from signed events.
public interface PushPolicy {
    /// Before the pack is read. Whoever is refused here costs nothing more.
    PushVerdict judge(Push push) throws IOException;

    /// Once more when the objects are here and checked, under the policy's own locks, because everything
    /// may have changed meanwhile. What is allowed is done before this returns: objects moved in, refs
    /// durable.
    PushVerdict settle(Push push, ReceivedPush received) throws IOException;

    /// Lets nothing through.
    static PushPolicy nothing(String reason) {
        return new PushPolicy() {
            @Override
            public PushVerdict judge(Push push) {
                return PushVerdict.refusedWhole(push.commands(), reason);
            }

            @Override
            public PushVerdict settle(Push push, ReceivedPush received) {
                return judge(push);
            }
        };
    }

    /// Lets everything through that git itself allows: for trying things out, and for measuring.
    static PushPolicy anything() {
        return new PushPolicy() {
            @Override
            public PushVerdict judge(Push push) {
                for (var command : push.commands()) {
                    if (command.name() instanceof Parsed.Invalid) {
                        return new PushVerdict.Refused(
                                Set.of(command.ref()), "ref " + command.ref() + " is outside refs/", List.of());
                    }
                }
                return new PushVerdict.Allowed();
            }

            @Override
            public PushVerdict settle(Push push, ReceivedPush received) throws IOException {
                return received.apply(push.commands());
            }
        };
    }
}
