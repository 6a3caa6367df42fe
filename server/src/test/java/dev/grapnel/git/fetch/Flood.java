package dev.grapnel.git.fetch;

import dev.grapnel.git.wire.PacketWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A request that somebody sends who wants us to choke on it; made while it is read.
final class Flood extends InputStream {
    private static final String FLUSH = "\0flush";
    private static final String DELIMITER = "\0delimiter";

    private final Iterator<byte[]> parts;
    private byte[] part = {};
    private int position;

    private Flood(Stream<String> parts) {
        this.parts = parts.map(Flood::packet).iterator();
    }

    /// Lines of version 0: the first ones, then many, then the end of wants and `done`.
    static Flood version0(List<String> first, int count, IntFunction<String> line) {
        return new Flood(Stream.of(first.stream(), lines(count, line), Stream.of(FLUSH, "done"))
                .flatMap(part -> part));
    }

    /// The same with haves, which stand behind the wants.
    static Flood haves0(List<String> wants, int count, IntFunction<String> have) {
        return new Flood(Stream.of(wants.stream(), Stream.of(FLUSH), lines(count, have), Stream.of("done"))
                .flatMap(part -> part));
    }

    /// Version 2: arguments of a command.
    static Flood version2(String command, List<String> first, int count, IntFunction<String> line) {
        return new Flood(Stream.of(
                        Stream.of("command=" + command, DELIMITER),
                        first.stream(),
                        lines(count, line),
                        Stream.of(FLUSH))
                .flatMap(part -> part));
    }

    /// Version 2: capabilities.
    static Flood capabilities2(String command, int count, IntFunction<String> line) {
        return new Flood(Stream.of(Stream.of("command=" + command), lines(count, line), Stream.of(FLUSH))
                .flatMap(part -> part));
    }

    private static Stream<String> lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line);
    }

    private static byte[] packet(String line) {
        var out = new ByteArrayOutputStream();
        var packets = new PacketWriter(out);
        try {
            switch (line) {
                case FLUSH -> packets.flush();
                case DELIMITER -> packets.delimiter();
                default -> packets.line(line);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    /// One of many ids.
    static String id(int number) {
        return "0".repeat(32) + HexFormat.of().toHexDigits(number + 1);
    }

    /// One of many ids that fall into the same place of a hash table.
    static String collidingId(int number) {
        var digits = HexFormat.of().toHexDigits(number);
        return "0".repeat(16) + digits + digits + "0".repeat(8);
    }

    @Override
    public int read() {
        if (!fill()) {
            return -1;
        }
        return part[position++] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) {
        if (length == 0 || !fill()) {
            return length == 0 ? 0 : -1;
        }
        int got = Math.min(length, part.length - position);
        System.arraycopy(part, position, into, from, got);
        position += got;
        return got;
    }

    private boolean fill() {
        while (position == part.length) {
            if (!parts.hasNext()) {
                return false;
            }
            part = parts.next();
            position = 0;
        }
        return true;
    }
}
