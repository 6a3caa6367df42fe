package dev.grapnel.git.client;

import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// What is sent to servers. Never asked for: history that is cut off or filtered, tags beyond what is
/// wanted, places to look elsewhere, and packs that rest on objects which are not in them (purgatory P-661,
/// P-806).
final class Requests {
    private static final List<String> ACKNOWLEDGEMENTS = List.of("multi_ack_detailed", "multi_ack");
    private static final List<String> BANDS = List.of("side-band-64k", "side-band");

    private Requests() {}

    /// For all refs, in version 2.
    static Bytes list(Greeting greeting) {
        return version2("ls-refs", greeting, List.of("peel"));
    }

    /// For objects.
    ///
    /// @param wants at least one
    /// @param haves what need not be sent
    static Bytes fetch(Greeting greeting, Collection<Oid> wants, Collection<Oid> haves) {
        return greeting.isVersion2() ? fetchVersion2(greeting, wants, haves) : fetchVersion0(greeting, wants, haves);
    }

    private static Bytes fetchVersion2(Greeting greeting, Collection<Oid> wants, Collection<Oid> haves) {
        var arguments = Stream.of(
                        Stream.of("ofs-delta", "no-progress"),
                        wants.stream().map(id -> "want " + id),
                        haves.stream().map(id -> "have " + id),
                        Stream.of("done"))
                .flatMap(lines -> lines)
                .toList();
        return version2("fetch", greeting, arguments);
    }

    private static Bytes version2(String command, Greeting greeting, List<String> arguments) {
        return written(packets -> {
            packets.line("command=" + command + "\n");
            if (greeting.can("object-format")) {
                packets.line("object-format=sha1\n");
            }
            packets.delimiter();
            for (var argument : arguments) {
                packets.line(argument + "\n");
            }
            packets.flush();
        });
    }

    private static Bytes fetchVersion0(Greeting greeting, Collection<Oid> wants, Collection<Oid> haves) {
        return written(packets -> {
            var words = " " + String.join(" ", words(greeting));
            for (var want : wants) {
                packets.line("want " + want + words + "\n");
                words = "";
            }
            packets.flush();
            for (var have : haves) {
                packets.line("have " + have + "\n");
            }
            packets.line("done\n");
        });
    }

    private static List<String> words(Greeting greeting) {
        return Stream.of(
                        ACKNOWLEDGEMENTS.stream().filter(greeting::can).limit(1),
                        BANDS.stream().filter(greeting::can).limit(1),
                        Stream.of("ofs-delta", "no-progress").filter(greeting::can))
                .flatMap(words -> words)
                .toList();
    }

    /// Whether what version 0 sends comes in bands.
    static boolean hasBands(Greeting greeting) {
        return greeting.isVersion2() || BANDS.stream().anyMatch(greeting::can);
    }

    private interface Text {
        void write(PacketWriter packets) throws IOException;
    }

    private static Bytes written(Text text) {
        var out = new ByteArrayOutputStream();
        try {
            text.write(new PacketWriter(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Bytes.wrap(out.toByteArray());
    }
}
