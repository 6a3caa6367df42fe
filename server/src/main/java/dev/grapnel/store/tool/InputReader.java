package dev.grapnel.store.tool;

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
    private List<InputPlace> earlier;
    private Optional<InputPlace> wanted = Optional.empty();
    private byte lastPassed;

    /// Receives what is read.
    interface Sink {
        void chunk(Chunk chunk) throws InterruptedException;

        /// So much was passed over.
        ///
        /// @param line number of the last line of the source that is done
        void passed(String source, long line, InputPlace place) throws InterruptedException;
    }

    /// @param earlier places that earlier imports came to
    InputReader(List<ImportSource> sources, List<InputPlace> earlier, Sink sink) {
        this.sources = sources;
        this.earlier = earlier;
        this.sink = sink;
    }

    /// Reads everything.
    ///
    /// @throws ToolFailure if a source cannot be read
    void run() throws InterruptedException {
        if (!readAll()) {
            // It only began like the other one.
            hash = new InputHash();
            earlier = List.of();
            wanted = Optional.empty();
            readAll();
        }
    }

    /// False, before anything was handed on, if the place that was looked for is not in this input.
    private boolean readAll() throws InterruptedException {
        for (var source : sources) {
            if (!read(source)) {
                return false;
            }
        }
        return wanted.isEmpty() || turnBack(sources.getLast());
    }

    private boolean read(ImportSource source) throws InterruptedException {
        try (var in = new BufferedInputStream(source.opener().open(), CHUNK_BYTES)) {
            recognise(in);
            hash.beginSource();
            long lines = 0;
            if (wanted.isPresent()) {
                var place = wanted.get();
                lines = pass(in, place.bytes());
                if (hash.bytes() < place.bytes()) {
                    return true; // it is in one of the next
                }
                if (!hash.place().equals(place) || !isEndOfLine(in)) {
                    return turnBack(source);
                }
                wanted = Optional.empty();
                sink.passed(source.name(), lines, place);
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
        if (earlier.isEmpty()) {
            return;
        }
        in.mark(InputHash.BEGIN_BYTES_MAX);
        var begin = in.readNBytes(
                earlier.stream().mapToInt(InputPlace::beginBytes).max().getAsInt());
        in.reset();
        if (begin.length == 0) {
            return; // it begins in the next source
        }
        wanted = earlier.stream()
                .filter(place -> begin.length >= place.beginBytes()
                        && InputHash.hash(begin, place.beginBytes()).equals(place.beginHash()))
                .max(Comparator.comparingLong(InputPlace::bytes));
        wanted.ifPresent(hash::knowBy);
        earlier = List.of();
    }

    /// Reads up to a place, or as far as the source goes, and counts the lines.
    private long pass(InputStream in, long place) throws IOException, InterruptedException {
        var buffer = new byte[CHUNK_BYTES];
        long lines = 0;
        while (hash.bytes() < place) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, place - hash.bytes()));
            if (count < 0) {
                break;
            }
            hash.add(buffer, count);
            for (int i = 0; i < count; i++) {
                lines += buffer[i] == '\n' ? 1 : 0;
            }
            lastPassed = count == 0 ? lastPassed : buffer[count - 1];
        }
        return lines;
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
