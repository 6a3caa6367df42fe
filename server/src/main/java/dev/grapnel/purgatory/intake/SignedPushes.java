package dev.grapnel.purgatory.intake;

import dev.grapnel.git.push.Push;
import dev.grapnel.git.push.PushCase;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.purgatory.IdentifierLocks;
import dev.grapnel.purgatory.Pins;
import dev.grapnel.purgatory.push.Remote;
import dev.grapnel.purgatory.reconcile.Attention;
import dev.grapnel.purgatory.reconcile.Reconciler;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Lets pushes through that realise what maintainers have signed (service 6).
public final class SignedPushes implements PushPolicy {
    private final Parts parts;

    /// What it works with.
    ///
    /// @param scenes what a push is judged by
    /// @param attention for what is to be done later
    /// @param remotes how a client names the repository it pushes to
    /// @param terms how long events last that a push relies on
    /// @param uploads where goes what nobody has signed
    /// @param counted as whom an address is counted; empty for those without limits of their own
    /// @param patience how long a push waits for repositories it did not go to
    public record Parts(
            Scenes scenes,
            Reconciler reconciler,
            Attention attention,
            IdentifierLocks locks,
            Pins pins,
            Extension terms,
            Uploads uploads,
            Function<InetAddress, String> counted,
            Function<Push, Remote> remotes,
            Duration patience,
            LongSupplier nanoTime) {
        UnsignedPart.Parts unsigned() {
            return new UnsignedPart.Parts(
                    scenes.store(), scenes.pools(), uploads, locks, pins, terms.expiry(), counted);
        }
    }

    public SignedPushes(Parts parts) {
        this.parts = parts;
    }

    @Override
    public PushCase open(Push push) throws IOException {
        return new SignedCase(push, parts);
    }
}
