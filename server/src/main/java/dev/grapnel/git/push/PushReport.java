package dev.grapnel.git.push;

import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.git.wire.SideBand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// What a client is told about its push, ref by ref (service 6.9).
final class PushReport {
    private static final int REASON_BYTES_MAX = 500;

    /// Words for people may be longer: half of a command helps nobody.
    private static final int WORDS_BYTES_MAX = 16_000;

    private final PushRequest request;
    private final String unpack;
    private final Function<PushCommand, Outcome> outcomes;
    private final List<String> words;

    private PushReport(
            PushRequest request, String unpack, Function<PushCommand, Outcome> outcomes, List<String> words) {
        this.request = request;
        this.unpack = unpack;
        this.outcomes = outcomes;
        this.words = words;
    }

    /// What became of one ref.
    ///
    /// @param why empty, or a space and the reason
    private record Outcome(String word, String why) {
        static final Outcome OK = new Outcome("ok ", "");

        static Outcome refused(String reason) {
            return new Outcome("ng ", " " + reason);
        }
    }

    static PushReport done(PushRequest request) {
        return new PushReport(request, "ok", _ -> Outcome.OK, List.of());
    }

    static PushReport refused(PushRequest request, PushVerdict.Refused refusal) {
        return new PushReport(
                request,
                "ok",
                command -> Outcome.refused(
                        oneLine(refusal.reasons().getOrDefault(command.ref(), "atomic push failed"), REASON_BYTES_MAX)),
                words(refusal));
    }

    /// The person reads the reason first, then what it means and what helps.
    private static List<String> words(PushVerdict.Refused refusal) {
        return Stream.concat(Stream.of(refusal.reason()), refusal.words().stream())
                .map(line -> oneLine(line, WORDS_BYTES_MAX))
                .toList();
    }

    /// The objects themselves were not good.
    static PushReport unpackFailed(PushRequest request, String reason) {
        var line = oneLine(reason, REASON_BYTES_MAX);
        return new PushReport(request, line, _ -> Outcome.refused(line), List.of(line));
    }

    /// Strangers' names stand in reasons: nothing in them may steer a terminal or begin another line.
    private static String oneLine(String text, int bytesMax) {
        var clean = text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        while (clean.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            clean = clean.substring(0, clean.offsetByCodePoints(clean.length(), -1));
        }
        return clean;
    }

    /// To a client that hears words for people besides.
    void send(SideBand bands) throws IOException {
        for (var line : words) {
            bands.say(line + "\n");
        }
        if (request.wantsReport()) {
            var report = report();
            bands.write(SideBand.DATA, report, 0, report.length);
        }
        bands.end();
    }

    /// To a client that hears nothing besides.
    void send(OutputStream out) throws IOException {
        if (request.wantsReport()) {
            out.write(report());
        }
        out.flush();
    }

    private byte[] report() {
        var bytes = new ByteArrayOutputStream();
        var packets = new PacketWriter(bytes);
        try {
            packets.line("unpack " + unpack + "\n");
            for (var command : request.commands()) {
                var line = line(command, outcomes.apply(command));
                packets.packet(line, 0, line.length);
            }
            packets.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot fail", e);
        }
        return bytes.toByteArray();
    }

    /// The client looks for the name it sent, byte for byte.
    private static byte[] line(PushCommand command, Outcome outcome) throws IOException {
        var line = new ByteArrayOutputStream();
        line.write(outcome.word().getBytes(StandardCharsets.UTF_8));
        line.write(command.sent().toArray());
        line.write((outcome.why() + "\n").getBytes(StandardCharsets.UTF_8));
        return line.toByteArray();
    }
}
