package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.Schnorr;
import dev.grapnel.nostr.key.Signature;
import fr.acinq.secp256k1.Secp256k1;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Checking a signature, against the bare call of libsecp256k1.
@State(Scope.Benchmark)
public class VerifyBench {
    private final PublicKey key = Sample.COMMENT.event().author();
    private final EventId id = Sample.COMMENT.event().id();
    private final Signature signature = Sample.COMMENT.event().signature();

    private final byte[] keyBytes = key.toBytes();
    private final byte[] idBytes = id.toBytes();
    private final byte[] signatureBytes = signature.bytes().toArray();

    /// This library.
    @Benchmark
    public boolean grapnel() {
        return Schnorr.verify(key, id, signature);
    }

    /// The binding alone.
    @Benchmark
    public boolean bare() {
        return Secp256k1.get().verifySchnorr(signatureBytes, idBytes, keyBytes);
    }
}
