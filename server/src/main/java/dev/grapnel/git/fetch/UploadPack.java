package dev.grapnel.git.fetch;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.fetch.Advertisement.LsRefs;
import dev.grapnel.git.fetch.FetchRequest.Capability;
import dev.grapnel.git.reach.Reach;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import dev.grapnel.git.wire.PacketWriter;
import dev.grapnel.git.wire.SideBand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;

/// Answers one request of a client that fetches.
public final class UploadPack {
    private static final int HEAD_MAX = 100;

    private final Offer offer;
    private final KeepAlive keepAlive;
    private final BooleanSupplier abandoned;
    private final PackBudget budget;

    /// @param abandoned whether nobody waits for the answer any more
    /// @param budget what the answer may take of memory
    public UploadPack(Offer offer, KeepAlive keepAlive, BooleanSupplier abandoned, PackBudget budget) {
        this.offer = offer;
        this.keepAlive = keepAlive;
        this.abandoned = abandoned;
        this.budget = budget;
    }

    /// A request that was read and is to be answered.
    public sealed interface Task {
        /// To send nothing: the request was a probe.
        record Nothing() implements Task {}

        /// To say why not.
        record Refuse(String reason) implements Task {}

        /// To list refs; needs no objects, so it is done quickly.
        record List(LsRefs request) implements Task {}

        /// To negotiate and send a pack.
        record Fetch(FetchRequest request, boolean version2) implements Task {}
    }

    /// Reads a request to its end.
    ///
    /// @throws BrokenPacket if it is none; nothing was answered yet, so it can still be an HTTP error
    public static Task read(InputStream in, boolean version2) throws IOException {
        var packets = new PacketReader(in);
        return version2 ? readVersion2(packets) : readVersion0(packets);
    }

    private static Task readVersion0(PacketReader packets) throws IOException {
        var lines = new RequestLines();
        boolean first = true;
        for (var packet = packets.next(); !(packet instanceof Packet.End); packet = packets.next()) {
            if (!(packet instanceof Packet.Line line)) {
                continue; // between what is wanted and what is there, and between batches of the latter
            }
            var text = line.latin();
            if (first) {
                text = takeCapabilities(text, lines);
                first = false;
            }
            if (!lines.take(text)) {
                throw new BrokenPacket("no line of a fetch: " + printable(text));
            }
            if (lines.isDone()) {
                break;
            }
        }
        return task(lines, false);
    }

    private static Task task(RequestLines lines, boolean version2) {
        var refusal = lines.refusal();
        if (refusal.isPresent()) {
            return new Task.Refuse(refusal.get());
        }
        var request = lines.request();
        boolean onlyNegotiates = version2
                && request.has(Capability.WAIT_FOR_DONE)
                && !request.haves().isEmpty();
        return request.wants().isEmpty() && !onlyNegotiates ? new Task.Nothing() : new Task.Fetch(request, version2);
    }

    private static String takeCapabilities(String first, RequestLines lines) {
        var words = first.split(" ", -1);
        for (int i = 2; i < words.length; i++) {
            lines.capability(words[i]);
        }
        return words.length < 3 ? first : words[0] + " " + words[1];
    }

    private static Task readVersion2(PacketReader packets) throws IOException {
        var packet = packets.next();
        if (!(packet instanceof Packet.Line first)) {
            return new Task.Nothing();
        }
        var command = first.latin();
        int capabilities = 0;
        for (packet = packets.next(); packet instanceof Packet.Line line; packet = packets.next()) {
            if (++capabilities == HEAD_MAX) {
                throw new BrokenPacket("more than " + HEAD_MAX + " capabilities");
            }
            var word = line.latin();
            if (word.startsWith("object-format=") && !word.equals("object-format=sha1")) {
                throw new BrokenPacket("objects are named by SHA-1 here");
            }
        }
        boolean more = packet instanceof Packet.Delimiter;
        return switch (command) {
            case "command=ls-refs" -> new Task.List(more ? lsRefs(packets) : new ListingLines().request());
            case "command=fetch" -> more ? fetch(packets) : new Task.Nothing();
            default -> throw new BrokenPacket("no command of this server: " + printable(command));
        };
    }

    private static LsRefs lsRefs(PacketReader packets) throws IOException {
        var lines = new ListingLines();
        for (var packet = packets.next(); !(packet instanceof Packet.Flush); packet = packets.next()) {
            lines.take(argument(packet));
        }
        return lines.request();
    }

    private static String argument(Packet packet) throws BrokenPacket {
        if (packet instanceof Packet.Line line) {
            return line.latin();
        }
        throw new BrokenPacket("the request ends within its arguments");
    }

    private static Task fetch(PacketReader packets) throws IOException {
        var lines = new RequestLines();
        lines.capability(Capability.SIDE_BAND_64K.word());
        for (var packet = packets.next(); !(packet instanceof Packet.Flush); packet = packets.next()) {
            var argument = argument(packet);
            if (!lines.take(argument)) {
                lines.capability(argument);
            }
        }
        return task(lines, true);
    }

    static String printable(String text) {
        var shown = text.length() > 100 ? text.substring(0, 100) : text;
        return shown.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /// Does what was asked. The end of the answer goes out when the stream is flushed or closed.
    ///
    /// @throws IOException if the client is gone or a disk fails
    public void answer(Task task, OutputStream out) throws IOException {
        switch (task) {
            case Task.Nothing _ -> {}
            case Task.Refuse(var reason) -> new PacketWriter(out).line("ERR upload-pack: " + reason + "\n");
            case Task.List(var request) -> Advertisement.list(offer, request, out);
            case Task.Fetch(var request, var version2) -> fetch(request, version2, out);
        }
    }

    private void fetch(FetchRequest request, boolean version2, OutputStream out) throws IOException {
        try (var reader = offer.objects().newReader()) {
            refuseUnreachable(request, reader);
            if (version2) {
                fetchVersion2(request, reader, out);
            } else {
                fetchVersion0(request, reader, out);
            }
        } catch (RequestRefused refusal) {
            new PacketWriter(out).line("ERR " + refusal.getMessage() + "\n");
        }
    }

    private void refuseUnreachable(FetchRequest request, ObjectReader reader) throws IOException, RequestRefused {
        var wants = request.wants().stream().map(GitIds::of).toList();
        var unreachable = new Reach(reader, offer.tips()).findUnreachable(wants);
        if (unreachable.isPresent()) {
            throw new RequestRefused(
                    "upload-pack: not our ref " + unreachable.get().name());
        }
    }

    private void fetchVersion0(FetchRequest request, ObjectReader reader, OutputStream out)
            throws IOException, RequestRefused {
        var packets = new PacketWriter(out);
        var cut = ShallowCut.of(request, offer, reader);
        if (request.depth().isCut()) {
            writeCut(cut, packets);
            packets.flush();
        }
        if (request.haves().isEmpty() && !request.done()) {
            return; // only asks where its history would end
        }
        var negotiation = Negotiation.of(request, cut.ended(), offer, reader);
        if (acknowledgeVersion0(request, negotiation, packets)) {
            send(request, negotiation, cut, reader, out);
        }
    }

    /// Whether the pack follows.
    private static boolean acknowledgeVersion0(FetchRequest request, Negotiation found, PacketWriter packets)
            throws IOException {
        boolean detailed = request.has(Capability.MULTI_ACK_DETAILED);
        if (detailed || request.has(Capability.MULTI_ACK)) {
            for (var id : found.common()) {
                packets.line("ACK " + id.name() + (detailed ? " common\n" : " continue\n"));
            }
            if (found.ready() && detailed && !request.done()) {
                packets.line("ACK " + found.common().getLast().name() + " ready\n");
            }
        }
        boolean send = request.done() || (found.ready() && detailed && request.has(Capability.NO_DONE));
        if (!send || found.common().isEmpty()) {
            boolean onlyFirst = !detailed
                    && !request.has(Capability.MULTI_ACK)
                    && !found.common().isEmpty();
            packets.line(onlyFirst ? "ACK " + found.common().getFirst().name() + "\n" : "NAK\n");
        } else {
            packets.line("ACK " + found.common().getLast().name() + "\n");
        }
        return send;
    }

    private void fetchVersion2(FetchRequest request, ObjectReader reader, OutputStream out)
            throws IOException, RequestRefused {
        var packets = new PacketWriter(out);
        var cut = ShallowCut.of(request, offer, reader);
        var negotiation = Negotiation.of(request, cut.ended(), offer, reader);
        if (!request.done()) {
            boolean ready = negotiation.ready() && !request.has(Capability.WAIT_FOR_DONE);
            acknowledgeVersion2(negotiation, ready, packets);
            if (!ready) {
                packets.flush();
                return;
            }
            packets.delimiter();
        }
        if (request.depth().isCut()) {
            packets.line("shallow-info\n");
            writeCut(cut, packets);
            packets.delimiter();
        }
        packets.line("packfile\n");
        send(request, negotiation, cut, reader, out);
    }

    private static void acknowledgeVersion2(Negotiation found, boolean ready, PacketWriter packets) throws IOException {
        packets.line("acknowledgments\n");
        for (var id : found.common()) {
            packets.line("ACK " + id.name() + "\n");
        }
        if (ready) {
            packets.line("ready\n");
        } else if (found.common().isEmpty()) {
            packets.line("NAK\n");
        }
    }

    private static void writeCut(ShallowCut cut, PacketWriter packets) throws IOException {
        for (ObjectId id : cut.shallow()) {
            packets.line("shallow " + id.name() + "\n");
        }
        for (ObjectId id : cut.unshallow()) {
            packets.line("unshallow " + id.name() + "\n");
        }
    }

    private void send(
            FetchRequest request, Negotiation negotiation, ShallowCut cut, ObjectReader reader, OutputStream out)
            throws IOException {
        var sender = new PackSender(request, offer, reader, abandoned, budget);
        boolean large = request.has(Capability.SIDE_BAND_64K);
        if (!large && !request.has(Capability.SIDE_BAND)) {
            sender.send(negotiation.common(), cut, out);
            return;
        }
        var bands = keepAlive.bands(out, large);
        try (var _ = keepAlive.watch(bands)) {
            var data = bands.data();
            sender.send(negotiation.common(), cut, data);
            data.close(); // only now: what a failure leaves unfinished shall not look whole
        } catch (TooManyObjects e) {
            var reason = (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            bands.write(SideBand.ERROR, reason, 0, reason.length);
        }
        bands.end();
    }
}
