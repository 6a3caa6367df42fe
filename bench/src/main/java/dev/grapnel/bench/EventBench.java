package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedClientMessage;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.json.JsonMapper;

/// Reading an event: parsing, canonical form and hash. Against Jackson's tree, whose values are written again
/// in canonical order and hashed: what one would write with a JSON library at hand.
@State(Scope.Benchmark)
public class EventBench {
    private static final EventReader EVENTS = new EventReader(EventLimits.DEFAULTS);
    private static final ClientMessageReader MESSAGES = new ClientMessageReader(MessageLimits.DEFAULTS);
    private static final JsonMapper JACKSON = JsonMapper.shared();

    @Param
    public Sample sample = Sample.STATUS;

    private byte[] event = new byte[0];
    private byte[] message = new byte[0];

    @Setup
    public void prepare() throws NoSuchAlgorithmException {
        event = sample.event().json().toArray();
        message = new ClientMessage.Publish(sample.event()).json().toArray();
        if (!jackson()
                || !(grapnel() instanceof ParsedEvent.Valid)
                || !(publish() instanceof ParsedClientMessage.Read)) {
            throw new IllegalStateException("the sample is refused");
        }
    }

    /// This library.
    @Benchmark
    public ParsedEvent grapnel() {
        return EVENTS.read(event);
    }

    /// This library, the event inside its message.
    @Benchmark
    public ParsedClientMessage publish() {
        return MESSAGES.read(message);
    }

    /// SHA-256 alone, over about as many bytes: the part nobody can save.
    @Benchmark
    public byte[] hash() throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(event);
    }

    /// Jackson and SHA-256.
    @Benchmark
    public boolean jackson() throws NoSuchAlgorithmException {
        var tree = JACKSON.readTree(event);
        var canonical = JACKSON.createArrayNode()
                .add(0)
                .add(tree.get("pubkey"))
                .add(tree.get("created_at"))
                .add(tree.get("kind"))
                .add(tree.get("tags"))
                .add(tree.get("content"));
        var hash = MessageDigest.getInstance("SHA-256").digest(JACKSON.writeValueAsBytes(canonical));
        return HexFormat.of().formatHex(hash).equals(tree.get("id").stringValue());
    }
}
