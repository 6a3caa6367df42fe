package dev.grapnel.store.tool;

import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.row.InputPlace;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Reads the sources of an import one after the other. If an earlier import came to a place in the same input,
/// it passes over what is in front of that.
final class InputReader {
    private static final int CHUNK_BYTES = 1 << 18;

    private final List<ImportSource> sources;
    private final Sink sink;
    private InputHash hash = new InputHash();
    /// Those that this input may come to, unless it has passed them.
    private List<ImportPosition> ahead;
    private boolean isRecognised;
    private Optional<ImportPosition> found = Optional.empty();
    private byte lastPassed;

    /// Receives what is read.
    interface Sink {
        void chunk(Chunk chunk) throws InterruptedException;

        /// So much was passed over.
        ///
        /// @param line number of the last line of the source that is done
        void passed(String source, long line, ImportPosition earlier) throws InterruptedException;
    }

    /// @param earlier where earlier imports ended
    InputReader(List<ImportSource> sources, List<ImportPosition> earlier, Sink sink) {
        this.sources = sources;
        this.ahead = earlier;
        this.sink = sink;
    }

    /// Reads everything.
    ///
    /// @throws ToolFailure if a source cannot be read
    void run() throws InterruptedException {
        while (!readAll()) {
            // It does not come to the furthest place it may have come to: once more, up to the furthest it does.
            hash = new InputHash();
            ahead = found.stream().toList();
            isRecognised = false;
            found = Optional.empty();
        }
    }

    /// False, before anything was handed on, if that must begin at another place than was looked for.
    private boolean readAll() throws InterruptedException {
        for (var source : sources) {
            if (!read(source)) {
                return false;
            }
        }
        return ahead.isEmpty() || !isRecognised || turnBack(sources.getLast());
    }

    private boolean read(ImportSource source) throws InterruptedException {
        try (var in = new BufferedInputStream(source.opener().open(), CHUNK_BYTES)) {
            recognise(in);
            hash.beginSource();
            long lines = 0;
            if (isRecognised && !ahead.isEmpty()) {
                lines = pass(in);
                if (!ahead.isEmpty()) {
                    return true; // the furthest is in one of the next
                }
                if (found.isEmpty() || found.get().place().bytes() < hash.bytes()) {
                    return turnBack(source);
                }
                sink.passed(source.name(), lines, found.get());
            }
            handOn(source, in, lines + 1);
            return true;
        } catch (IOException e) {
            throw new ToolFailure("could not read " + source.name() + ": " + e.getMessage(), e);
        }
    }

    private void handOn(ImportSource source, InputStream in, long firstLine) throws IOException, InterruptedException {
        var reader = new ChunkReader(source.name(), in, hash, firstLine, CHUNK_BYTES, LineCheck.LINE_BYTES_MAX);
        for (var chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
            sink.chunk(chunk.get());
        }
    }

    /// Looks at how the input begins, to find what it may be.
    private void recognise(InputStream in) throws IOException {
        if (isRecognised || ahead.isEmpty()) {
            return;
        }
        in.mark(InputHash.BEGIN_BYTES_MAX);
        var begin = in.readNBytes(InputHash.BEGIN_BYTES_MAX);
        in.reset();
        if (begin.length == 0) {
            return; // it begins in the next source
        }
        isRecognised = true;
        ahead = ahead.stream()
                .filter(position -> beginsLike(position.place(), begin))
                .sorted(Comparator.comparingLong(position -> position.place().bytes()))
                .toList();
    }

    private static boolean beginsLike(InputPlace place, byte[] begin) {
        return begin.length >= place.beginBytes()
                && InputHash.hash(begin, place.beginBytes()).equals(place.beginHash());
    }

    /// Reads up to the furthest place, or as far as the source goes, and counts the lines.
    private long pass(InputStream in) throws IOException, InterruptedException {
        var buffer = new byte[CHUNK_BYTES];
        long lines = 0;
        while (!ahead.isEmpty()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            var next = ahead.getFirst();
            long left = next.place().bytes() - hash.bytes();
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                break;
            }
            hash.add(buffer, count);
            for (int i = 0; i < count; i++) {
                lines += buffer[i] == '\n' ? 1 : 0;
            }
            lastPassed = buffer[count - 1];
            if (count == left) {
                arrive(in);
            }
        }
        return lines;
    }

    /// Looks which of those that are as far as this it is.
    private void arrive(InputStream in) throws IOException {
        var here =
                ahead.stream().filter(position -> hash.isAt(position.place())).findFirst();
        if (here.isPresent() && isEndOfLine(in)) {
            found = here;
        }
        ahead = ahead.stream()
                .filter(other -> other.place().bytes() > hash.bytes())
                .toList();
    }

    /// The last line of a source may lack its end; then it may have become longer.
    private boolean isEndOfLine(InputStream in) throws IOException {
        if (lastPassed == '\n') {
            return true;
        }
        in.mark(1);
        boolean isEnd = in.read() < 0;
        in.reset();
        return isEnd;
    }

    /// False: begin again. That needs sources that can be read again.
    private boolean turnBack(ImportSource last) {
        var gone = sources.subList(0, sources.indexOf(last) + 1).stream()
                .filter(source -> !source.canBeReadAgain())
                .findFirst();
        if (gone.isPresent()) {
            throw new ToolFailure("what was read from " + gone.get().name()
                    + " begins like the input of an import that did not come to its end, but goes on in another way;"
                    + " nothing was stored. Repeat the command with --from-start");
        }
        return false;
    }
}
