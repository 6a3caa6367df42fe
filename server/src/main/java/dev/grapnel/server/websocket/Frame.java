package dev.grapnel.server.websocket;

import dev.grapnel.websocket.FrameHead;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A frame on its way out, in up to three pieces, so that what many receive is not copied for each.
final class Frame {
    private static final byte[] BRACKET = {']'};
    /// The bracket as a block of its own, and the first byte of an empty block, which ends a message.
    private static final byte[] BRACKET_BLOCK = append(Deflation.stored(BRACKET), (byte) 0);

    private static final byte[] NO_TAIL = new byte[0];
    private static final byte[] END_BLOCK = {0};
    /// What a frame takes beside its text.
    private static final int BYTES = 96;

    private final @Nullable FrameOwner owner;
    private final byte[] head;
    private final ByteBuffer body;
    private final byte[] tail;
    private final boolean isCommon;

    private Frame(@Nullable FrameOwner owner, byte[] head, ByteBuffer body, byte[] tail, boolean isCommon) {
        this.owner = owner;
        this.head = head;
        this.body = body;
        this.tail = tail;
        this.isCommon = isCommon;
    }

    /// A text message.
    ///
    /// @param owner with whom it is taken back
    static Frame text(@Nullable FrameOwner owner, byte[] text) {
        var head = FrameHead.write(FrameHead.FINAL | FrameHead.TEXT, text.length, 0);
        return new Frame(owner, head, ByteBuffer.wrap(text), NO_TAIL, false);
    }

    /// The same, compressed if that makes it shorter.
    static Frame compressedText(@Nullable FrameOwner owner, byte[] text, Deflation deflation) {
        if (text.length < Deflation.LEAST_BYTES) {
            return text(owner, text);
        }
        var blocks = deflation.blocks(ByteBuffer.wrap(text));
        if (blocks.length == 0) {
            return text(owner, text);
        }
        var head = FrameHead.write(
                FrameHead.FINAL | FrameHead.COMPRESSED | FrameHead.TEXT, blocks.length + END_BLOCK.length, 0);
        return new Frame(owner, head, ByteBuffer.wrap(blocks), END_BLOCK, false);
    }

    /// A message that ends with a shared text and a bracket.
    static Frame shared(@Nullable FrameOwner owner, byte[] prefix, SharedText shared) {
        var head = FrameHead.write(
                FrameHead.FINAL | FrameHead.TEXT, prefix.length + shared.length() + BRACKET.length, prefix.length);
        System.arraycopy(prefix, 0, head, head.length - prefix.length, prefix.length);
        return new Frame(owner, head, shared.text(), BRACKET, shared.isCommon());
    }

    /// The same, compressed if that makes it shorter: what is not shared stands in blocks that are not
    /// compressed.
    static Frame compressedShared(@Nullable FrameOwner owner, byte[] prefix, SharedText shared, Deflation deflation) {
        if (shared.length() < Deflation.LEAST_BYTES || !Deflation.isStorable(prefix.length)) {
            return shared(owner, prefix, shared);
        }
        var blocks = shared.compressed(deflation);
        if (blocks.length == 0) {
            return shared(owner, prefix, shared);
        }
        var first = Deflation.stored(prefix);
        int length = first.length + blocks.length + BRACKET_BLOCK.length;
        var head = FrameHead.write(FrameHead.FINAL | FrameHead.COMPRESSED | FrameHead.TEXT, length, first.length);
        System.arraycopy(first, 0, head, head.length - first.length, first.length);
        return new Frame(owner, head, ByteBuffer.wrap(blocks), BRACKET_BLOCK, shared.isCommon());
    }

    static Frame ping() {
        return control(FrameHead.PING, new byte[0]);
    }

    static Frame pong(byte[] payload) {
        return control(FrameHead.PONG, payload);
    }

    /// @param reason ASCII
    static Frame close(int code, String reason) {
        return control(FrameHead.CLOSE, FrameHead.closing(code, reason));
    }

    private static Frame control(int opcode, byte[] payload) {
        return new Frame(
                null,
                FrameHead.write(FrameHead.FINAL | opcode, payload.length, 0),
                ByteBuffer.wrap(payload),
                NO_TAIL,
                false);
    }

    private static byte[] append(byte[] bytes, byte last) {
        var longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length] = last;
        return longer;
    }

    @Nullable
    FrameOwner owner() {
        return owner;
    }

    int length() {
        return head.length + body.remaining() + tail.length;
    }

    /// About what it takes in memory for this connection alone.
    int memoryBytes() {
        return BYTES + head.length + (isCommon ? 0 : body.remaining());
    }

    /// Copies what fits, from an offset on, and returns how much that was.
    int copy(int offset, ByteBuffer target) {
        int before = target.position();
        int at = offset;
        at += copy(head, at, target);
        int inBody = at - head.length;
        if (inBody >= 0 && inBody < body.remaining()) {
            int count = Math.min(body.remaining() - inBody, target.remaining());
            target.put(target.position(), body, body.position() + inBody, count);
            target.position(target.position() + count);
            inBody += count;
        }
        if (inBody >= body.remaining()) {
            copy(tail, inBody - body.remaining(), target);
        }
        return target.position() - before;
    }

    private static int copy(byte[] piece, int from, ByteBuffer target) {
        if (from >= piece.length) {
            return 0;
        }
        int count = Math.min(piece.length - from, target.remaining());
        target.put(piece, from, count);
        return count;
    }
}
