package dev.grapnel.websocket;

import dev.grapnel.nostr.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Puts a peer's messages together from the bytes that come (relay 6.2). Knows no socket: it is given bytes
/// and says what they are. Between messages it keeps no memory.
public final class FrameReader {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] NOTHING = new byte[0];
    private static final int FRAGMENTS_MAX = 1_024;
    private static final int CONTROL_MAX = 125;
    private static final int HEAD_MAX = 14;
    private static final int FIRST_BYTES = 8 << 10;
    /// What every connection may keep without asking.
    private static final int FREE_BYTES = 16 << 10;

    private final Sender sender;
    private final int messageMax;
    private final boolean compressible;
    private final Inflation inflation;
    private final FrameMemory memory;

    /// The head of the current frame, as far as it has come.
    private final byte[] head = new byte[HEAD_MAX];
    private int headLength;
    private boolean inPayload;
    private int payloadLength;
    private int payloadRead;
    private int mask;

    /// The data message that is being put together; 0 if none is.
    private int messageOpcode;
    private boolean messageCompressed;
    private int fragments;
    private byte[] message = NOTHING;
    private int messageLength;
    private byte[] control = NOTHING;
    private long reserved;

    /// Of the message that was told last.
    private long told;

    /// Whose frames are read.
    public enum Sender {
        /// Its frames are masked.
        CLIENT,
        /// Its frames are not.
        SERVER
    }

    /// @param messageMax bytes of a message, as sent and inflated
    /// @param compressible whether compression was agreed on
    public FrameReader(Sender sender, int messageMax, boolean compressible, Inflation inflation, FrameMemory memory) {
        this.sender = sender;
        this.messageMax = messageMax;
        this.compressible = compressible;
        this.inflation = inflation;
        this.memory = memory;
    }

    /// The next thing the bytes say; everything up to it is taken out of the buffer. After a fault nothing more
    /// is to be read, unless it is [CloseCode#BAD_TEXT]: that message was whole, and the next one can be found.
    ///
    /// What is reserved for a message stays so until [#letGo], or until more is read.
    public Incoming next(ByteBuffer in) {
        letGo();
        while (true) {
            if (!inPayload) {
                if (!readHead(in)) {
                    return Incoming.INCOMPLETE;
                }
                var fault = beginFrame();
                if (!(fault instanceof Incoming.Incomplete)) {
                    return fault;
                }
            }
            if (!makeRoom(in.remaining())) {
                return new Incoming.Fault(CloseCode.TRY_LATER, "busy, try again later");
            }
            if (!readPayload(in)) {
                return Incoming.INCOMPLETE;
            }
            inPayload = false;
            headLength = 0;
            var whole = isControl() ? endControl() : endData();
            if (!(whole instanceof Incoming.Incomplete)) {
                return whole;
            }
        }
    }

    /// Whether a frame or a message has begun and not ended.
    public boolean isAmidst() {
        return headLength > 0 || messageOpcode != 0;
    }

    /// Gives back what is reserved for the message that was told last: whoever has it does not keep it, or counts it.
    public void letGo() {
        memory.release(told);
        told = 0;
    }

    /// Gives back what was kept, also for a message that did not come to its end.
    public void close() {
        letGo();
        forgetMessage();
    }

    private boolean readHead(ByteBuffer in) {
        while (in.hasRemaining()) {
            if (headLength >= 2 && headLength == headSize()) {
                return true;
            }
            head[headLength++] = in.get();
        }
        return headLength >= 2 && headLength == headSize();
    }

    private int headSize() {
        int length = head[1] & 0x7f;
        int size = length == 126 ? 4 : length == 127 ? 10 : 2;
        return isMasked() ? size + 4 : size;
    }

    private boolean isMasked() {
        return head[1] < 0;
    }

    private int opcode() {
        return head[0] & 0x0f;
    }

    private boolean isFinal() {
        return head[0] < 0;
    }

    private boolean isControl() {
        return opcode() >= FrameHead.CLOSE;
    }

    /// Judges a head before a byte of its payload is taken.
    private Incoming beginFrame() {
        long length = head[1] & 0x7f;
        int from = 2;
        if (length == 126) {
            length = number(head, 2);
            from = 4;
            if (length < 126) {
                return fault("length is not written in the shortest form");
            }
        } else if (length == 127) {
            length = (long) LONGS.get(head, 2);
            from = 10;
            if (length >= 0 && length <= 0xffff) {
                return fault("length is not written in the shortest form");
            }
        }
        if (isMasked() != (sender == Sender.CLIENT)) {
            return fault(isMasked() ? "a server's frames are not masked" : "a client's frames are masked");
        }
        mask = isMasked() ? (number(head, from) << 16) | number(head, from + 2) : 0;
        var fault = isControl() ? judgeControl(length) : judgeData(length);
        if (fault instanceof Incoming.Incomplete) {
            inPayload = true;
            payloadLength = (int) length;
            payloadRead = 0;
        }
        return fault;
    }

    private Incoming judgeControl(long length) {
        if (opcode() > FrameHead.PONG) {
            return fault("unknown kind of frame");
        }
        if ((head[0] & 0x70) != 0 || !isFinal() || length < 0 || length > CONTROL_MAX) {
            return fault("a control frame is whole, has no reserved bits and at most 125 bytes");
        }
        return Incoming.INCOMPLETE;
    }

    private Incoming judgeData(long length) {
        int opcode = opcode();
        if (opcode > FrameHead.BINARY) {
            return fault("unknown kind of frame");
        }
        boolean compressed = (head[0] & 0x40) != 0;
        if ((head[0] & 0x30) != 0 || (compressed && (!compressible || opcode == FrameHead.CONTINUATION))) {
            return fault("a reserved bit is set");
        }
        if ((opcode == FrameHead.CONTINUATION) != (messageOpcode != 0)) {
            return fault(
                    opcode == FrameHead.CONTINUATION ? "nothing is to be continued" : "a message was not finished");
        }
        if (opcode != FrameHead.CONTINUATION) {
            messageOpcode = opcode;
            messageCompressed = compressed;
            fragments = 0;
        }
        if (length < 0 || length > messageMax - messageLength || ++fragments > FRAGMENTS_MAX) {
            return new Incoming.Fault(CloseCode.TOO_BIG, "message is too long");
        }
        return Incoming.INCOMPLETE;
    }

    /// Two bytes.
    private static int number(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static Incoming fault(String reason) {
        return new Incoming.Fault(CloseCode.PROTOCOL_ERROR, reason);
    }

    /// Makes room for what has come, not for what was announced: a peer that sends nothing shall cost nothing.
    private boolean makeRoom(int available) {
        int missing = payloadLength - payloadRead;
        int coming = Math.min(missing, available);
        if (isControl()) {
            if (control.length < payloadLength) {
                control = new byte[payloadLength];
            }
            return true;
        }
        int needed = messageLength + coming;
        if (needed <= message.length) {
            return true;
        }
        int whole = messageLength + missing;
        int size = coming == missing
                ? needed
                : (int) Math.min(whole, Math.max(Math.max(needed, FIRST_BYTES), message.length * 2L));
        if (size > FREE_BYTES) {
            if (!memory.reserve(size - reserved)) {
                return false;
            }
            reserved = size;
        }
        message = Arrays.copyOf(message, size);
        return true;
    }

    private boolean readPayload(ByteBuffer in) {
        int count = Math.min(payloadLength - payloadRead, in.remaining());
        if (isControl()) {
            in.get(control, payloadRead, count);
            unmask(control, payloadRead, count);
        } else {
            in.get(message, messageLength, count);
            unmask(message, messageLength, count);
            messageLength += count;
        }
        payloadRead += count;
        return payloadRead == payloadLength;
    }

    private void unmask(byte[] bytes, int from, int count) {
        if (isMasked()) {
            FrameHead.mask(bytes, from, from + count, Integer.rotateLeft(mask, (payloadRead & 3) * 8));
        }
    }

    private Incoming endControl() {
        var payload = control;
        control = NOTHING;
        return switch (opcode()) {
            case FrameHead.PING -> new Incoming.Ping(Bytes.copyOf(payload, 0, payloadLength));
            case FrameHead.PONG -> Incoming.PONG;
            default -> closing(payload);
        };
    }

    private Incoming closing(byte[] payload) {
        if (payloadLength == 0) {
            return new Incoming.Close(CloseCode.NONE);
        }
        int code = payloadLength == 1 ? 0 : number(payload, 0);
        if (!CloseCode.isValid(code)) {
            return fault("no such close code");
        }
        return Utf8.isValid(payload, 2, payloadLength)
                ? new Incoming.Close(code)
                : new Incoming.Fault(CloseCode.BAD_TEXT, "text is not UTF-8");
    }

    private Incoming endData() {
        if (!isFinal()) {
            return Incoming.INCOMPLETE;
        }
        var bytes = message;
        int length = messageLength;
        boolean isText = messageOpcode == FrameHead.TEXT;
        boolean compressed = messageCompressed;
        told = reserved;
        reserved = 0;
        forgetMessage();
        var whole = compressed ? inflate(bytes, length) : new Incoming.Text(bytes, length);
        if (!(whole instanceof Incoming.Text text)) {
            return whole;
        }
        if (!isText) {
            return Incoming.BINARY;
        }
        return Utf8.isValid(text.bytes(), 0, text.length())
                ? text
                : new Incoming.Fault(CloseCode.BAD_TEXT, "text is not UTF-8");
    }

    /// What came is not needed any more then, however long the message waits.
    private Incoming inflate(byte[] bytes, int length) {
        long came = told;
        var whole = inflation.inflate(bytes, length, messageMax, this::reserveMore);
        memory.release(came);
        told -= came;
        return whole;
    }

    /// For a message that turns out to be longer than it came.
    private boolean reserveMore(int from, int to) {
        long more = Math.max(0, to - Math.max(from, FREE_BYTES));
        if (more > 0 && !memory.reserve(more)) {
            return false;
        }
        told += more;
        return true;
    }

    private void forgetMessage() {
        memory.release(reserved);
        reserved = 0;
        message = NOTHING;
        messageLength = 0;
        messageOpcode = 0;
    }
}
