package dev.grapnel.store.tool;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/// Cuts a stream into chunks of whole lines, each with its place in the input. Lines beyond a limit are passed
/// over without being kept.
final class ChunkReader {
    /// So many of the shortest that are refused are still a moderate heap of reasons.
    static final int LINES_MAX = 4_096;

    private final String source;
    private final InputStream in;
    private final InputHash hash;
    private final int chunkBytes;
    private final int lineBytesMax;

    private byte[] text;
    private int length;
    private long line;
    private boolean ended;

    /// @param hash hears of every byte, once it is in a chunk
    /// @param firstLine number of the line that the stream begins with
    /// @param chunkBytes about how large a chunk is
    ChunkReader(String source, InputStream in, InputHash hash, long firstLine, int chunkBytes, int lineBytesMax) {
        this.source = source;
        this.in = in;
        this.hash = hash;
        this.line = firstLine;
        this.chunkBytes = chunkBytes;
        this.lineBytesMax = lineBytesMax;
        this.text = new byte[chunkBytes];
    }

    /// The next chunk; nothing at the end. What is there is handed out before it waits for more.
    Optional<Chunk> next() throws IOException {
        int end = 0;
        int searched = 0;
        while (true) {
            end = Math.max(end, endOfLines(searched));
            searched = length;
            if (end > 0 && (ended || length == text.length || in.available() == 0)) {
                return Optional.of(cut(end));
            }
            if (ended) {
                return length == 0 ? Optional.empty() : Optional.of(cut(length));
            }
            if (length == text.length && end == 0) {
                if (length > lineBytesMax) {
                    return Optional.of(passOver());
                }
                text = Arrays.copyOf(text, (int) Math.min(2L * length, lineBytesMax + 1L));
            }
            fill();
        }
    }

    private void fill() throws IOException {
        int count = in.read(text, length, text.length - length);
        if (count < 0) {
            ended = true;
        } else {
            length += count;
        }
    }

    /// Index behind the last line feed; 0 if there is none from an index on.
    private int endOfLines(int from) {
        for (int i = length; i > from; i--) {
            if (text[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /// Hands out whole lines up to an index, but not too many.
    private Chunk cut(int most) {
        int lines = 0;
        int end = 0;
        while (end < most && lines < LINES_MAX) {
            lines += text[end] == '\n' ? 1 : 0;
            end++;
        }
        hash.add(text, end);
        var chunk = new Chunk.Lines(source, line, text, end, hash.place());
        line += lines;
        int left = length - end;
        var next = new byte[Math.max(chunkBytes, left)];
        System.arraycopy(text, end, next, 0, left);
        text = next;
        length = left;
        return chunk;
    }

    /// Goes to the end of the line whose beginning fills the buffer.
    private Chunk passOver() throws IOException {
        long passed = 0;
        while (true) {
            int end = firstLineFeed();
            if (end < length || ended) {
                int behind = Math.min(end + 1, length);
                passed += behind;
                hash.add(text, behind);
                System.arraycopy(text, behind, text, 0, length - behind);
                length -= behind;
                return new Chunk.TooLong(source, line++, passed, hash.place());
            }
            passed += length;
            hash.add(text, length);
            length = 0;
            fill();
        }
    }

    private int firstLineFeed() {
        int i = 0;
        while (i < length && text[i] != '\n') {
            i++;
        }
        return i;
    }
}
