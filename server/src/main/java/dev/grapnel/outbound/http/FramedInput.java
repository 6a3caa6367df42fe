package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/// A body without what shows where it ends. An end that comes too early is a failure, never an end.
final class FramedInput extends InputStream {
    private static final Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,15})[ \t]*(;.*)?");
    private static final int SIZE_LINE_MAX = 4 << 10;
    private static final int TRAILERS_MAX = 16 << 10;

    private final InputStream in;
    private final Head.Framing framing;
    private long left;
    private boolean isFirstChunk = true;
    private boolean isOver;

    FramedInput(InputStream in, Head.Framing framing) {
        this.in = in;
        this.framing = framing;
        this.left = switch (framing) {
            case Head.Framing.Nothing _, Head.Framing.Chunks _ -> 0;
            case Head.Framing.Length(var bytes) -> bytes;
            case Head.Framing.UntilClose _ -> Long.MAX_VALUE;
        };
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && !isOver) {
            left = nextPart();
            isOver = left == 0;
        }
        if (isOver) {
            return -1;
        }
        int count = in.read(buffer, offset, (int) Math.min(length, left));
        if (count < 0) {
            isOver = true;
            if (!(framing instanceof Head.Framing.UntilClose)) {
                throw new OutboundException(new Failure.Broken());
            }
            return -1;
        }
        left -= count;
        return count;
    }

    /// Bytes of what follows; 0 if nothing does.
    private long nextPart() throws IOException {
        return switch (framing) {
            case Head.Framing.Chunks _ -> nextChunk();
            case Head.Framing.Nothing _, Head.Framing.Length _, Head.Framing.UntilClose _ -> 0;
        };
    }

    private long nextChunk() throws IOException {
        var lines = new Head.Lines(in, "the head of a chunk", SIZE_LINE_MAX);
        if (!isFirstChunk && !lines.next().isEmpty()) {
            throw Head.broken("a chunk is longer than it said");
        }
        isFirstChunk = false;
        var size = SIZE.matcher(lines.next());
        if (!size.matches()) {
            throw Head.broken("the size of a chunk is no number");
        }
        long bytes = Long.parseLong(size.group(1), 16);
        if (bytes == 0) {
            Head.readHeaders(new Head.Lines(in, "what follows the last chunk", TRAILERS_MAX));
        }
        return bytes;
    }
}
